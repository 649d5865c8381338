import { workInSteps } from "../../base/jobs/steps.ts";
import type { Database } from "../../database/database.ts";

/**
 * Rows that one statement deletes. It ends within milliseconds, and so does the wait of a writer who takes one of its keys
 * anew.
 */
const BATCH = 250;

interface Purged {
  count: number;
  /** The latest expiry among them. It is a text, because a Date would lose its microseconds. */
  latest: string | null;
}

/**
 * Deletes the keys that have expired, the oldest first, in small statements with rests between them. Several processes may do
 * so at once. Gives how many it has deleted. docs/guides/idempotency.md#keys
 * @param signal ends the purge after the statement that is running
 */
export function purgeExpired(database: Pick<Database, "queryAlone">, signal?: AbortSignal): Promise<number> {
  const step = async (from: string) => {
    const { count, latest } = await purgeBatch(database, from);
    return { count, next: count < BATCH ? null : latest };
  };
  return workInSteps("-infinity", step, { signal });
}

/** Deletes some expired keys. One that a writer takes anew at this moment is locked, and skipped. */
async function purgeBatch(database: Pick<Database, "queryAlone">, from: string): Promise<Purged> {
  const [purged] = await database.queryAlone<Purged>(
    `with expired as (
       delete from idempotency_keys where ctid = any(array(
         select ctid from idempotency_keys where expires_at >= $1 and expires_at <= now()
         order by expires_at limit ${BATCH} for update skip locked))
       returning expires_at
     )
     select count(*)::int as count, max(expires_at)::text as latest from expired`,
    [from],
  );
  return purged ?? { count: 0, latest: null };
}
