import type { Query } from "../../database/query.ts";

// The log is divided by its numbers. A period is one partition with 2^30 of them, far more than are drawn in its time:
// the sequence is set to the beginning of the next period when that begins.

const SIZE = 2 ** 30;
/** Periods that are there before they begin, so that the log goes on when nobody begins one for long. */
const AHEAD = 2;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Length of a period. Old entries are dropped a period at a time, so they stay for up to this longer. */
export const PERIOD_MS = 7 * DAY_MS;

/** When each period began, by its number, as the setting holds it. */
type Began = Record<string, string>;

/** Makes the partitions of periods up to one, as far as they are not there. */
export async function makePeriods(query: Query, last: number): Promise<void> {
  const newest = (await periodsOf(query)).at(-1)?.number ?? 0;
  for (let period = newest + 1; period <= last; period += 1) {
    const [name, from] = [`change_log_${period}`, period * SIZE];
    // PostgreSQL attaches a table without waiting for anybody. Making it as a partition would lock the log against all.
    await query(`create table ${name} (like change_log including all)`, []);
    await query(`alter table change_log attach partition ${name} for values from (${from}) to (${from + SIZE})`, []);
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
  const gone = (await periodsOf(query)).filter(({ number }) => number < first);
  for (const { name, state } of gone) {
    if (state !== "left")
      await query(
        `alter table change_log detach partition ${name} ${state === "leaving" ? "finalize" : "concurrently"}`,
        [],
      );
    await query(`drop table if exists ${name}`, []);
  }
  return gone.map(({ name }) => name);
}

/** The names of the tables of all periods, of those too that a killed process has taken out of the log. */
export async function tablesOfPeriods(query: Query): Promise<string[]> {
  return (await periodsOf(query)).map(({ name }) => name);
}

const SETTING = "change_log_periods";
const WRITE = "update settings set value = $2::jsonb where name = $1";

interface Period {
  name: string;
  /** Number of the period; 0 for the entries of releases before the log. */
  number: number;
  /** State of a partition that a killed process has begun to take out of the log, or has taken out. */
  state: "there" | "leaving" | "left";
}

/** The partitions in the order of their numbers, and what is left of some that were to be dropped. */
async function periodsOf(query: Query): Promise<Period[]> {
  const rows = await query<Omit<Period, "number">>(
    `/* background */ select relname::text as name,
       case when inhparent is null then 'left' when inhdetachpending then 'leaving' else 'there' end as state
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname ~ '^change_log_([0-9]+|before)$'`,
    [],
  );
  const numberOf = (name: string) => Number(/\d+$/.exec(name)?.[0] ?? 0);
  return rows.map((row) => ({ ...row, number: numberOf(row.name) })).sort((a, b) => a.number - b.number);
}
