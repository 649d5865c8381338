import { EVENTS_KEPT_MS } from "../../config/limits.ts";
import { type Database, run } from "../../database/database.ts";
import type { Query } from "../../database/query.ts";
import { beginPeriod, DELIVERIES, dropPeriods, type Periods, savedResponses } from "../periods/periods.ts";
import * as log from "./periods.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Begins a period of a table when it is time, drops those that are over, and gives the names of their partitions. */
export type Maintain = (lateMs?: number) => Promise<string[]>;

/**
 * Maintenance of the tables that are divided into periods, by a name for people. It makes and drops partitions, so the
 * role has to own the tables. Several processes may do it at once.
 * The log is kept for the longest of its views: events, history and trash.
 * @returns functions whose `lateMs` is a time by which they are late on purpose, 0 by default
 */
export function maintenance(
  database: Pick<Database, "queryPlanned" | "transaction">,
  { idempotencyTtlS, historyDays, trashDays }: { idempotencyTtlS: number; historyDays: number; trashDays: number },
): Record<string, Maintain> {
  const goOn =
    (periods: Periods): Maintain =>
    async (lateMs = 0) => {
      await beginPeriod(database, { ...periods, periodMs: periods.periodMs + lateMs });
      return dropPeriods(database, { ...periods, keptMs: periods.keptMs + lateMs });
    };
  const logKeptMs = Math.max(EVENTS_KEPT_MS, Math.max(historyDays, trashDays) * DAY_MS);
  return {
    "entries of the log": async (lateMs = 0) => {
      await database.transaction((trx) =>
        log.beginPeriod((...statement) => run(trx, ...statement), log.PERIOD_MS + lateMs),
      );
      return log.dropPeriods(database.queryPlanned, logKeptMs + lateMs);
    },
    deliveries: goOn(DELIVERIES),
    "saved answers": goOn(savedResponses(idempotencyTtlS)),
  };
}

/** Whether the role owns the tables, so that it can maintain them. */
export async function ownsTables(query: Query): Promise<boolean> {
  const [row] = await query<{ owns: boolean }>(
    "/* background */ select pg_has_role(relowner, 'USAGE') as owns from pg_class where oid = 'change_log'::regclass",
    [],
  );
  return row?.owns ?? false;
}
