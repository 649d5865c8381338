import type { Query } from "../../database/query.ts";

// The log is divided by its numbers. A period is one partition with 2^30 of them, far more than are drawn in its time:
// the sequence is set to the beginning of the next period when that begins. The long texts of the log are divided into
// the same periods.

const SIZE = 2 ** 30;
/** Periods that are there before they begin, so that the log goes on when nobody begins one for long. */
const AHEAD = 2;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Length of a period. Old entries are dropped a period at a time, so they stay for up to this longer. */
export const PERIOD_MS = 7 * DAY_MS;

/** The tables that are divided, the bounds of a period in each, and for how many periods it outlives the log. */
const DIVIDED: Record<string, { boundsOf(period: number): string; longer: number }> = {
  change_log: { boundsOf: (period) => `from (${period * SIZE}) to (${(period + 1) * SIZE})`, longer: 0 },
  // The period may change between the text and the entry that refers to it.
  log_texts: { boundsOf: (period) => `in (${period})`, longer: 1 },
};

/** SQL of the period of a number. */
export function periodOf(seq: string): string {
  return `(${seq} / ${SIZE})::int`;
}

/** When each period began, by its number, as the setting holds it. */
type Began = Record<string, string>;

/** Makes the partitions of periods up to one, as far as they are not there. */
export async function makePeriods(query: Query, last: number): Promise<void> {
  const there = await periodsOf(query);
  for (const [table, { boundsOf }] of Object.entries(DIVIDED)) {
    const newest = there.findLast((period) => period.table === table)?.number ?? last;
    for (let period = newest + 1; period <= last; period += 1) {
      const name = `${table}_${period}`;
      // PostgreSQL attaches a table without waiting for anybody. Making it as a partition would lock the log.
      await query(`create table ${name} (like ${table} including all)`, []);
      await query(`alter table ${table} attach partition ${name} for values ${boundsOf(period)}`, []);
    }
  }
}

/** Makes the partitions that entries need whose newest number is this one. */
export async function makePeriodsFor(query: Query, seq: number): Promise<void> {
  await makePeriods(query, Math.floor(seq / SIZE) + AHEAD);
}

/**
 * Begins a new period when the present one is old enough and has entries. The transaction is the caller's.
 * @param periodMs how old that is
 * @returns whether it has
 */
export async function beginPeriod(query: Query, periodMs = PERIOD_MS): Promise<boolean> {
  const [state] = await query<{ began: Began; seq: number; now: Date }>(
    `/* background */ select value as began, clock_timestamp() as now, (select last_value::float8 from change_log_seq) as seq
     from settings where name = $1 for update`,
    [SETTING],
  );
  if (!state) return false;
  const { began, seq, now } = state;
  const present = Math.floor(seq / SIZE);
  const since = began[present];
  if (since === undefined) {
    // More numbers were drawn than a period has, or a backup was restored.
    await query(WRITE, [SETTING, JSON.stringify({ ...began, [present]: now.toISOString() })]);
    await makePeriods(query, present + AHEAD);
    return false;
  }
  if (seq === present * SIZE || now.getTime() - Date.parse(since) < periodMs) return false;
  const next = present + 1;
  await makePeriods(query, next + AHEAD);
  await query(WRITE, [SETTING, JSON.stringify({ ...began, [next]: now.toISOString() })]);
  await query("select setval('change_log_seq', greatest($1, (select last_value from change_log_seq)))", [next * SIZE]);
  return true;
}

/**
 * Drops the partitions all of whose entries are older than this, and gives their names. Not in a transaction: a
 * partition is taken out of the log without a lock on it, and dropped then.
 */
export async function dropPeriods(query: Query, keptMs: number): Promise<string[]> {
  const [state] = await query<{ began: Began; now: Date }>(
    "/* background */ select value as began, clock_timestamp() as now from settings where name = $1",
    [SETTING],
  );
  if (!state) return [];
  const old = Object.entries(state.began).filter(([, at]) => state.now.getTime() - Date.parse(at) >= keptMs);
  // Entries from before the newest of these periods are older still.
  const first = Math.max(...old.map(([number]) => Number(number)));
  const gone = (await periodsOf(query)).filter(({ number, table }) => number + longerOf(table) < first);
  for (const { name, table, state } of gone) {
    if (state !== "left")
      await query(
        `alter table ${table} detach partition ${name} ${state === "leaving" ? "finalize" : "concurrently"}`,
        [],
      );
    await query(`drop table if exists ${name}`, []);
  }
  return gone.map(({ name }) => name);
}

function longerOf(table: string): number {
  return DIVIDED[table]?.longer ?? 0;
}

/** The names of the tables of all periods, of those too that a killed process has taken out of the log. */
export async function tablesOfPeriods(query: Query): Promise<string[]> {
  return (await periodsOf(query)).map(({ name }) => name);
}

const SETTING = "change_log_periods";
const WRITE = "update settings set value = $2::jsonb where name = $1";

interface Period {
  /** Name of the partition, and of the table that it is of. */
  name: string;
  table: string;
  /** Number of the period; 0 for the entries of releases before the log. */
  number: number;
  /** State of a partition that a killed process has begun to take out of the log, or has taken out. */
  state: "there" | "leaving" | "left";
}

/** The partitions in the order of their numbers, and what is left of some that were to be dropped. */
async function periodsOf(query: Query): Promise<Period[]> {
  const rows = await query<Omit<Period, "number">>(
    `/* background */ select relname::text as name, substring(relname from '^(.*)_') as table,
       case when inhparent is null then 'left' when inhdetachpending then 'leaving' else 'there' end as state
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname ~ '^(${Object.keys(DIVIDED).join("|")})_([0-9]+|before)$'
     order by relname`,
    [],
  );
  const numberOf = (name: string) => Number(/\d+$/.exec(name)?.[0] ?? 0);
  return rows.map((row) => ({ ...row, number: numberOf(row.name) })).sort((a, b) => a.number - b.number);
}
