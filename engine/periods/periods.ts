import { DAY_MS } from "../../base/values/dates.ts";
import type { Uuid } from "../../base/values/ids.ts";
import { DELIVERIES_KEPT_MS } from "../../config/limits.ts";
import { byWorkspace } from "../../database/by-workspace.ts";
import { type Database, run } from "../../database/database.ts";
import { hasCitus } from "../../database/has-citus.ts";
import type { Query } from "../../database/query.ts";
import { addPartition, dropPartition, type Partition, partitionsOf } from "./partitions.ts";

/**
 * A table whose rows go by their age. It is divided into periods, each of which is a partition. The number of a period,
 * in the column `period`, is the millisecond since 1970 in which it began by the clock of the database; the sequence
 * `TABLE_period` has the present one. So no clock of a process decides where a row stands, and there is a place for
 * each row however long nobody begins a period.
 */
export interface Divided {
  table: string;
  /** Storage parameters of a partition. */
  options?: string;
  /** Name of the partition with the rows of the release before; those of others are `TABLE_NUMBER`. */
  first: string;
}

/** A divided table, and how long its rows stay. */
export interface Periods extends Divided {
  /** Length of a period: rows stay for up to this longer than they are kept. */
  periodMs: number;
  keptMs: number;
  /** SQL over `t` of the rows that stay although their time is over: they are taken along into the present period. */
  stays: string;
}

const deliveries: Divided = {
  table: "deliveries",
  options: "with (autovacuum_vacuum_scale_factor = 0.02)",
  first: "deliveries_before",
};
const responses: Divided = { table: "saved_responses", first: "idempotency_keys" };

/** All divided tables, without the log, which has numbers of its own (engine/events/periods.ts). */
export const DIVIDED: readonly Divided[] = [deliveries, responses];

/** Deliveries. docs/guides/running.md#what-is-kept-how-long */
export const DELIVERIES: Periods = {
  ...deliveries,
  periodMs: 7 * DAY_MS,
  keptMs: DELIVERIES_KEPT_MS,
  // Deliveries of a deleted webhook are not sent.
  stays:
    "status = 'pending' and exists (select from webhooks w where w.workspace_id = t.workspace_id and w.id = t.webhook_id)",
};

const HOUR_MS = 60 * 60 * 1000;

/**
 * Saved responses. They are looked up in all periods, so there are only two or three, and none is shorter than the time
 * for which responses are kept. Another process may keep them for longer than this one, so those that have not expired
 * stay.
 */
export function savedResponses(ttlS: number): Periods {
  const ttlMs = ttlS * 1000;
  return {
    ...responses,
    periodMs: Math.max(DAY_MS, ttlMs),
    // A transaction that saves one has ended by then.
    keptMs: Math.max(HOUR_MS, ttlMs),
    stays: "expires_at > statement_timestamp()",
  };
}

/** The partitions of a table that has periods, and those that a killed process has left. */
export function periodsOf(query: Query, { table, first }: Divided): Promise<Partition[]> {
  return partitionsOf(query, table, first);
}

/** Makes the partition of a period, unless it is there. */
export async function makePeriod(query: Query, divided: Divided, number: number): Promise<void> {
  // One process makes it at a time. Attaching takes this lock too, and no reader or writer waits for it.
  const { table, options } = divided;
  await query(`lock table ${table} in share update exclusive mode`, []);
  if ((await periodsOf(query, divided)).some(({ from }) => from === number)) return;
  await addPartition(query, table, { name: `${table}_${number}`, from: number, to: number + 1, options });
}

interface Now {
  /** The present period. */
  present: number;
  /** The number of a period that begins now. */
  ms: number;
}

async function nowOf(query: Query, { table }: Divided): Promise<Now> {
  const [now] = await query<Now>(
    `/* background */ select pg_sequence_last_value($1::text::regclass)::float8 as present,
       floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
    [`${table}_period`],
  );
  if (!now) throw new Error("The database told no time");
  return now;
}

type Access = Pick<Database, "queryPlanned" | "transaction">;

/**
 * Begins a new period when the present one is old enough and has rows. Returns whether it has. A transaction that has
 * inserted rows before does not see the new partition, so it fails if it inserts more. Only that of the publisher does,
 * and it runs again.
 */
export async function beginPeriod({ queryPlanned, transaction }: Access, periods: Periods): Promise<boolean> {
  const { present, ms } = await nowOf(queryPlanned, periods);
  if (ms - present < periods.periodMs || !(await hasRows(queryPlanned, periods, present))) return false;
  // A write is sent to the period when its partition is committed.
  await transaction((trx) => makePeriod((...statement) => run(trx, ...statement), periods, ms));
  const begun = await queryPlanned(
    // A process that was held up in between would begin one that is older than its number tells.
    `/* background */ select setval($1::text::regclass, $2::bigint) from ${periods.table}_period
     where last_value < $2 and $2 > extract(epoch from clock_timestamp()) * 1000 - ${BEGUN_WITHIN_MS}`,
    [`${periods.table}_period`, ms],
  );
  return begun.length > 0;
}

const BEGUN_WITHIN_MS = 60_000;

async function hasRows(query: Query, { table }: Divided, number: number): Promise<boolean> {
  const rows = await query(`/* background */ select 1 from ${table} where period = $1 limit 1`, [number]);
  return rows.length > 0;
}

/**
 * Drops the periods all of whose rows are old enough, and gives the names of their partitions. Rows that stay are taken
 * along before.
 */
export async function dropPeriods({ queryPlanned, transaction }: Access, periods: Periods): Promise<string[]> {
  const isCitus = await hasCitus(queryPlanned);
  const [all, { present, ms }] = [await periodsOf(queryPlanned, periods), await nowOf(queryPlanned, periods)];
  // The rows of a period are from before the next one.
  const isOver = (next: Partition | undefined) =>
    next?.state === "there" && next.from <= present && ms - next.from >= periods.keptMs;
  const gone = all.filter(({ state }, i) => state !== "there" || isOver(all[i + 1]));
  for (const partition of gone) {
    if (partition.state === "there" && isCitus) await takeAlongOnCitus(queryPlanned, periods, partition, present);
    else if (partition.state === "there")
      await transaction((trx) => takeAlong((...statement) => run(trx, ...statement), periods, partition));
    await dropPartition(queryPlanned, periods.table, partition);
  }
  return gone.map(({ name }) => name);
}

/** The same on Citus, where a partition has parts on many machines: one workspace after the other. */
async function takeAlongOnCitus(
  query: Query,
  { table, stays }: Periods,
  { from }: Partition,
  present: number,
): Promise<void> {
  const found = await query<{ workspaceId: Uuid }>(
    `/* background */ select distinct workspace_id as "workspaceId" from ${table} t where period = $1 and ${stays}`,
    [from],
  );
  await byWorkspace(found, (workspaceId) =>
    query(
      `/* background */ update ${table} t set period = $2::bigint where workspace_id = $3 and period = $1::bigint and ${stays}`,
      [from, present, workspaceId],
    ),
  );
}

/** Pages of a partition that one statement reads: 16 MB, which takes some milliseconds. */
const PAGES = 2_000;

/** Moves the rows of a partition that stay into the present period. */
async function takeAlong(query: Query, { table, stays }: Periods, { name, from }: Partition): Promise<void> {
  // A row that is changed meanwhile gets another place, perhaps on a page that was read already.
  await query(`lock table ${name} in share row exclusive mode`, []);
  const [size] = await query<{ pages: number }>(
    "/* background */ select (pg_relation_size($1::text::regclass) / current_setting('block_size')::int)::int as pages",
    [name],
  );
  for (let page = 0; page < (size?.pages ?? 0); page += PAGES)
    await query(
      `/* background */ update ${table} set period = default where period = $3::bigint and ctid = any(array(
         select ctid from ${name} t where ctid >= $1::text::tid and ctid < $2::text::tid and ${stays}))`,
      [`(${page},0)`, `(${page + PAGES},0)`, from],
    );
}
