import type { Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";

/** The numbers up to which the log of a workspace may be read at a moment. */
export interface Settled {
  /** Each entry up to this number is committed, or never will be. */
  through: number;
  /** The newest number that any workspace has drawn. It is lower than it was when a backup was restored since. */
  last: number;
}

/**
 * The numbers up to which the logs of workspaces may be read. Their entries have to be read by a later statement: the
 * snapshot of this one may be older than a commit that it counts. docs/decisions/0013-events.md#the-order
 */
export async function settledOf(query: Query, workspaces: Iterable<Uuid>): Promise<Map<Uuid, Settled>> {
  const { text, values } = settledStatement(workspaces);
  const rows = await query<Settled & { workspaceId: Uuid }>(text, values);
  return new Map(rows.map(({ workspaceId, through, last }) => [workspaceId, { through, last }]));
}

/** The statement that `settledOf` runs. It gives a `Settled` for each workspace. */
export function settledStatement(workspaces: Iterable<Uuid>): { text: string; values: unknown[] } {
  return { text: SETTLED, values: [printUuids([...workspaces])] };
}

const SETTLED = `/* background */
select workspace_id as "workspaceId", through::float8 as through, last::float8 as last from log_settled($1::uuid[])`;

/**
 * The position from which a reader goes on that has read all up to there.
 * @param after where it began: it does not go back, unless the database has lost entries since
 */
export function endOf({ through, last }: Settled, after: number): number {
  // An entry may have two events, and both are read.
  return last + 1 < after ? last + 1 : Math.max(after, through + 1);
}
