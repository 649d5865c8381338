import { type Step, workInSteps } from "../../../base/jobs/steps.ts";
import { firstUuidOf } from "../../../base/values/ids.ts";
import type { Database } from "../../../database/database.ts";

/** Rows that one statement deletes. Each holds two whole records. */
const BATCH = 100;

const FIRST = "00000000-0000-0000-0000-000000000000";

/**
 * Deletes what is kept of merges that were made before a time, workspace by workspace. Several processes may do so at once. Gives
 * how many it has deleted. docs/guides/merging.md#history
 */
export function purgeMerges(
  { queryAlone }: Pick<Database, "queryAlone">,
  before: Date,
  signal?: AbortSignal,
): Promise<number> {
  const end = firstUuidOf(before.getTime());

  async function step(from: string): Promise<Step<string>> {
    const [row] = await queryAlone<{ count: number; last: string | null }>(PURGE, [from, end, before]);
    const { count, last } = row ?? { count: 0, last: null };
    // The last workspace may have more.
    return { count, next: count === BATCH ? last : null };
  }
  return workInSteps(FIRST, step, { signal });
}

/** Ids ascend with the time, so the primary key finds the oldest of each workspace. */
const PURGE = `/* background */
with old as (
  delete from merges where ctid = any(array(
    select m.ctid from (select id from workspaces where id >= $1 order by id) w cross join lateral (
      select ctid, workspace_id from merges where workspace_id = w.id and id < $2 and created_at < $3
      order by id limit ${BATCH} for update skip locked
    ) m limit ${BATCH}))
  returning workspace_id
)
select count(*)::int as count, max(workspace_id::text) as last from old`;
