import type { ServiceSchema } from "moleculer";
import { startPolling } from "../../../base/jobs/polling.ts";
import { type Step, workInSteps } from "../../../base/jobs/steps.ts";
import { DAY_MS } from "../../../base/values/dates.ts";
import type { Database } from "../../../database/database.ts";
import { errorCode } from "../../../database/errors.ts";
import { limitedDatabase } from "../../../database/limited-database.ts";
import type { Query } from "../../../database/query.ts";
import { SQLSTATE } from "../../../database/sqlstates.ts";
import { type Maintain, maintenance, ownsTables } from "../../../engine/events/maintenance.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { pollingMixin } from "../../../mixins/polling.mixin.ts";
import { deleteGoneWebhooks } from "./gone-webhooks.ts";

/** A statement that deletes some rows. $1 is the position to continue from; rows older than $2 have expired. */
interface Statement {
  sql: string;
  /** The place where the first one begins. */
  first: string;
}

/** Expired rows, and the number that one statement deletes. Conditions are SQL with the time as $2. */
interface Rows {
  over: string;
  batch: number;
}

/** Statement that deletes from a table that is small enough to be read as a whole, in no order. */
function anywhere(table: string, { over, batch }: Rows): Statement {
  const sql = `/* background */
with asked as (select $1::text, $2::timestamptz), gone as (
  delete from ${table} where ctid = any(array(
    select ctid from ${table} t where ${over} limit ${batch} for update skip locked))
  returning 1
)
select count(*)::int as count, case when count(*) = ${batch} then '' end as next from gone`;
  return { sql, first: "" };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Statement that deletes expired rows of a table. */
interface Sweep extends Statement {
  /** Time for which rows are kept, in milliseconds by the clock of the database. */
  keptMs: number;
  /** Interval at which a process begins it; a minute unless told otherwise. */
  everyMs?: number;
}

/**
 * Rows that are deleted. Most of what is kept for a time only goes in periods.
 * docs/guides/running.md#what-is-kept-how-long
 */
export const SWEEPS = {
  // Kept for the longest window that RATE_LIMITS takes, since this process may have another one than those that count.
  "rate windows": {
    keptMs: DAY_MS,
    everyMs: HOUR_MS,
    ...anywhere("rate_windows", {
      over: "greatest(stamps[cardinality(stamps)], held_until) < (extract(epoch from $2::timestamptz) * 1000000)::bigint",
      batch: 500,
    }),
  },
  "places of streams": {
    keptMs: MINUTE_MS,
    ...anywhere("event_streams", { over: "until < $2", batch: 1000 }),
  },
} satisfies Record<string, Sweep>;

/**
 * Number of rows that a sweep has deleted. Several processes may do the same one at once: each passes over what another
 * one deletes.
 * @param before what is older is over, for as long as its sweep says
 * @param signal ends it after the statement that is running
 */
export function sweep(
  { queryPlanned }: Pick<Database, "queryPlanned">,
  { sql, first }: Sweep,
  before: Date,
  signal?: AbortSignal,
): Promise<number> {
  async function step(place: string): Promise<Step<string>> {
    const [done] = await queryPlanned<Step<string>>(sql, [place, before]);
    return done ?? { count: 0, next: null };
  }
  return workInSteps(first, step, { signal });
}

const EVERY_MS = 60_000;
/** Connections that all sweeps of a process may hold at once, so that the others are left to requests. */
const CONNECTIONS = 2;

/**
 * A role that does not own the tables leaves partitions to `maintain`. It tries only when that is late by this, and
 * PostgreSQL's refusal is then the warning. docs/guides/deploying.md#two-roles
 */
const OVERDUE_MS = DAY_MS;

/**
 * Deletes what is kept for a time only, for all folders. Each process of this one does so.
 * docs/guides/running.md#what-is-kept-how-long
 */
export default function retentionService(context: ServiceContext): ServiceSchema {
  const database = limitedDatabase(context.database, CONNECTIONS);

  const sweeping = ([what, one]: [string, Sweep]) =>
    pollingMixin({
      start: (logger) =>
        startPolling({
          everyMs: one.everyMs ?? EVERY_MS,
          laterFirst: true,
          async work(signal) {
            const now = await databaseTime(database.queryPlanned);
            await sweep(database, one, new Date(now.getTime() - one.keptMs), signal);
            return false;
          },
          onFailure: ({ message }) => logger.warn(`Old ${what} were not deleted:`, message),
        }),
    });

  const deletingGone = pollingMixin({
    start: (logger) =>
      startPolling({
        everyMs: EVERY_MS,
        laterFirst: true,
        async work(signal) {
          await deleteGoneWebhooks(database, signal);
          return false;
        },
        onFailure: ({ message }) => logger.warn("Deliveries of deleted webhooks were not deleted:", message),
      }),
  });

  const dropping = ([what, maintain]: [string, Maintain]) =>
    pollingMixin({
      start: (logger) =>
        startPolling({
          everyMs: HOUR_MS,
          laterFirst: true,
          async work() {
            await maintain((await ownsTables(database.queryPlanned)) ? 0 : OVERDUE_MS);
            return false;
          },
          onFailure: (error) => logger.warn(`Old ${what} were not dropped:`, inWords(error)),
        }),
    });

  return {
    name: "retention",
    mixins: [
      ...Object.entries(SWEEPS).map(sweeping),
      deletingGone,
      ...Object.entries(maintenance(database, context.env)).map(dropping),
    ],
  };
}

function inWords(error: Error): string {
  if (errorCode(error) !== SQLSTATE.insufficientPrivilege) return error.message;
  return `${error.message}. Run "maintain" every hour with the role that owns the tables.`;
}

/**
 * The time of the database at this moment, which is one for all processes. What is deleted for its age goes by it: a
 * process whose own clock is wrong would delete what is new.
 */
async function databaseTime(query: Query): Promise<Date> {
  const [row] = await query<{ now: Date }>("/* background */ select clock_timestamp() as now", []);
  if (!row) throw new Error("The database told no time");
  return row.now;
}
