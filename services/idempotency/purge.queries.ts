import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "../../lib/database/database.ts";

/** Rows of one statement: it is over in milliseconds, and so is the wait of a writer who wants one of its keys anew. */
const BATCH = 250;
/** After a statement the purge rests this many times as long as it took: writers have nine tenths of the disk and the processor. */
const REST = 9;

interface Purged {
  count: number;
  /** The latest expiry among them, as text: a Date would lose its microseconds. */
  latest: string | null;
}

/**
 * Deletes keys whose time is over, the oldest first, in small statements with rests between them; several processes may do
 * so at once. Gives their number. Ends sooner when `signal` is aborted.
 */
export async function purgeExpired(database: Pick<Database, "queryAlone">, signal?: AbortSignal): Promise<number> {
  let purged = 0;
  // Each statement goes on where the last one ended: before that the index holds nothing but what has just been deleted.
  for (let from = "-infinity"; !signal?.aborted; ) {
    const begun = performance.now();
    const { count, latest } = await purgeBatch(database, from);
    purged += count;
    if (count < BATCH || latest === null) return purged;
    from = latest;
    await pause(REST * (performance.now() - begun));
  }
  return purged;
}

/** A key that a writer takes anew at this moment is skipped: it is locked. */
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
