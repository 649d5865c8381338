import type { Database } from "../../lib/database/database.ts";
import { until } from "./until.ts";

/**
 * Keeps the row of a person locked while work runs, so that a write of it takes as long as the test needs. The work gets
 * what waits until somebody waits for the row.
 */
export function whileLocked<Result>(
  database: Database,
  personId: string,
  work: (isAwaited: () => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (trx) => {
    await trx.raw(`select from people where id = '${personId.slice("per_".length)}' for update`);
    const [holder] = (await trx.send({ text: "select pg_backend_pid() as pid" })).rows as { pid: number }[];
    const blocked = "select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))";
    return work(() =>
      until("somebody waits for the row", async () => (await database.read(blocked, [holder?.pid])).length > 0),
    );
  });
}
