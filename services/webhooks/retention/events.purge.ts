import { type Step, workInSteps } from "../../../base/jobs/steps.ts";
import type { Database } from "../../../database/database.ts";
import { REST } from "./rest.ts";

/** Rows that one statement deletes. Nobody waits for them. */
const BATCH = 1000;

/**
 * Deletes the events that were published before a time, in the order of their positions, up to the first that was published later.
 * So what is left has no holes. Several processes may do so at once. Gives how many it has deleted.
 * docs/guides/running.md#what-is-kept-how-long
 */
export function purgeEvents(
  { queryAlone }: Pick<Database, "queryAlone">,
  before: Date,
  signal?: AbortSignal,
): Promise<number> {
  async function step(from: string): Promise<Step<string>> {
    const [row] = await queryAlone<{ count: number; old: number; last: string | null }>(PURGE, [from, before]);
    return { count: row?.count ?? 0, next: row?.old === BATCH ? row.last : null };
  }
  return workInSteps("0", step, { rest: REST, signal });
}

/** Those that another process deletes at the moment are locked and passed over; it goes on behind them all the same. */
const PURGE = `/* background */
with head as materialized (
  select position, published_at from events where position > $1::bigint order by position limit ${BATCH}
), old as materialized (
  select count(*)::int as count, max(position) as last from head
  where position < coalesce((select min(position) from head where published_at >= $2), ${2n ** 63n - 1n})
), gone as (
  delete from events where ctid = any(array(
    select ctid from events where position > $1::bigint and position <= (select last from old) for update skip locked))
  returning 1
)
select (select count(*)::int from gone) as count, count as old, last::text from old`;
