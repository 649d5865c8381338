import type { Database } from "../../lib/database.ts";

/** Rows of one statement: small, so that writers never wait for the purge. */
const BATCH = 1000;

/** Deletes keys whose time is over; several processes may do so at once. Gives their number. */
export async function purgeExpired(database: Database): Promise<number> {
  let purged = 0;
  for (;;) {
    const rows = await database.ask(
      `delete from idempotency_keys where ctid = any(array(
         select ctid from idempotency_keys where expires_at <= now() limit ${BATCH} for update skip locked)) returning 1`,
    );
    purged += rows.length;
    if (rows.length < BATCH) return purged;
  }
}
