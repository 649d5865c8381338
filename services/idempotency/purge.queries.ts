import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "../../lib/database/database.ts";

/**
 * Rows that one statement deletes. It ends within milliseconds, and so does the wait of a writer who takes one of its keys
 * anew.
 */
const BATCH = 250;
/**
 * After a statement the purge rests so many times as long as that took, so that writers have nine tenths of disk and
 * processor.
 */
const REST = 9;

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
export async function purgeExpired(database: Pick<Database, "queryAlone">, signal?: AbortSignal): Promise<number> {
  let purged = 0;
  // Each statement goes on where the last one ended, because before that the index holds only what has just been deleted.
  for (let from = "-infinity"; !signal?.aborted; ) {
    const begun = performance.now();
    const { count, latest } = await purgeBatch(database, from);
    purged += count;
    if (count < BATCH || latest === null) return purged;
    from = latest;
    await pause(REST * (performance.now() - begun), undefined, { signal }).catch(() => undefined);
  }
  return purged;
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
