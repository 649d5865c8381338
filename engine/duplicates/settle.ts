import { setTimeout as pause } from "node:timers/promises";
import type { Uuid } from "../../base/values/ids.ts";
import type { Database } from "../../database/database.ts";
import type { Query } from "../../database/query.ts";
import type { Kind } from "./traits.ts";
import { isDue, takeTurn } from "./turn.ts";

const PAUSE_MS = 50;
/** Longest wait for turns of other processes, and for writes that are not committed yet. */
const WAIT_MS_MAX = 10_000;

/**
 * Looks at all records of a workspace that are still to be looked at, so that its pairs are those of this moment. Waits
 * for other processes that are at it, for ten seconds without progress at most.
 */
export async function settlePairs(database: Pick<Database, "transaction" | "queryPlanned">, workspaceId: Uuid) {
  let waitsSince = performance.now();
  while (performance.now() - waitsSince < WAIT_MS_MAX) {
    if (!(await isDue(database.queryPlanned, workspaceId))) return;
    const { hasMore } = await takeTurn(database, workspaceId);
    if (hasMore) waitsSince = performance.now();
    else await pause(PAUSE_MS);
  }
}

/** Records that a run of the command line has made, within bounds of their ids. */
export interface MadeBy {
  kind: Kind;
  first: Uuid;
  last: Uuid;
  requestId: string;
}

const COUNT = `/* background */
select count(*)::int as count from (
  select younger_id as id from duplicate_pairs where workspace_id = $1 and kind = $2 and younger_id between $3 and $4
  union select older_id from duplicate_pairs where workspace_id = $1 and kind = $2 and older_id between $3 and $4) p
where exists (select from change_log l where l.workspace_id = $1 and l.record_id = p.id and l.request_id = $5)`;

/** The number of records that a run has made and that look like others. */
export async function countPaired(
  query: Query,
  workspaceId: Uuid,
  { kind, first, last, requestId }: MadeBy,
): Promise<number> {
  const [row] = await query<{ count: number }>(COUNT, [workspaceId, kind, first, last, requestId]);
  return row?.count ?? 0;
}
