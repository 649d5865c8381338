import type { Database } from "../../database/database.ts";
import { until } from "../../lab/harness/until.ts";

type Work<Result> = (isAwaited: () => Promise<unknown>) => Promise<Result>;

/**
 * Keeps the row of a person locked while work runs, so that a write of it takes as long as the test needs. The work
 * gets what waits until somebody waits for the row.
 */
export function whileLocked<Result>(database: Database, personId: string, work: Work<Result>): Promise<Result> {
  return whileHeld(database, `select from people where id = '${personId.slice("per_".length)}' for update`, work);
}

/** As `whileLocked`, with the lock that a statement takes, such as `lock table … in share mode`. */
export function whileHeld<Result>(database: Database, statement: string, work: Work<Result>): Promise<Result> {
  return database.transaction(async (trx) => {
    // PostgreSQL ends a transaction that is idle for long. The work may take longer on a busy machine.
    await trx.raw("set local idle_in_transaction_session_timeout = 0");
    await trx.raw(statement);
    const [holder] = (await trx.send({ text: "select pg_backend_pid() as pid" })).rows as { pid: number }[];
    const blocked = "select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))";
    return work(() =>
      until("somebody waits for the lock", async () => (await database.read(blocked, [holder?.pid])).length > 0),
    );
  });
}
