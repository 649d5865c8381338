import type { Query } from "../../database/query.ts";
import { addPartition, dropPartition, type Partition, partitionsOf } from "../periods/partitions.ts";

// The log is divided by its numbers. A period is one partition with 2^30 of them, far more than are drawn in its time:
// the sequence is set to the beginning of the next period when that begins. The long texts of the log are divided into
// the same periods.

const SIZE = 2 ** 30;
/** Periods that are there before they begin, so that the log goes on when nobody begins one for long. */
const AHEAD = 2;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Length of a period. Old entries are dropped a period at a time, so they stay for up to this longer. */
export const PERIOD_MS = 7 * DAY_MS;

/** A divided table: how many of its numbers are a period, and for how many periods it outlives the log. */
interface Divided {
  table: string;
  /** Name of the partition with the entries of releases before the log; empty where there is none. */
  before: string;
  size: number;
  longer: number;
}

const DIVIDED: readonly Divided[] = [
  { table: "change_log", before: "change_log_before", size: SIZE, longer: 0 },
  // The period may change between the text and the entry that refers to it.
  { table: "log_texts", before: "", size: 1, longer: 1 },
];

/** SQL of the period of a number. */
export function periodOf(seq: string): string {
  return `(${seq} / ${SIZE})::int`;
}

/** When each period began, by its number, as the setting holds it. */
type Began = Record<string, string>;

/**
 * Autovacuum would note the room that is left in full pages, and then each new entry would go into another old page:
 * with `full_page_writes` such a page is written whole, 8 kB for an entry of a few hundred bytes. Entries are appended
 * and not changed, so there is nothing else for it to do. docs/decisions/0023-history.md#what-it-costs
 */
const OPTIONS = "with (autovacuum_vacuum_insert_threshold = -1)";

/** Makes the partitions of periods up to one, as far as they are not there. */
export async function makePeriods(query: Query, last: number): Promise<void> {
  for (const { table, before, size } of DIVIDED) {
    const there = await partitionsOf(query, table, before);
    // A table that is not there yet has none.
    const newest = there.length > 0 ? Math.max(...there.map(({ from }) => from / size)) : last;
    for (let period = newest + 1; period <= last; period += 1)
      await addPartition(query, table, {
        name: `${table}_${period}`,
        from: period * size,
        to: (period + 1) * size,
        options: OPTIONS,
      });
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
  const dropped: string[] = [];
  for (const { table, before, size, longer } of DIVIDED)
    for (const partition of await partitionsOf(query, table, before)) {
      if (partition.from / size + longer >= first) continue;
      await dropPartition(query, table, partition);
      dropped.push(partition.name);
    }
  return dropped;
}

/** The partitions of the log and of its long texts, and those that a killed process has taken out. */
export async function periodsOfLog(query: Query): Promise<Partition[]> {
  const all = await Promise.all(DIVIDED.map(({ table, before }) => partitionsOf(query, table, before)));
  return all.flat();
}

const SETTING = "change_log_periods";
const WRITE = "update settings set value = $2::jsonb where name = $1";
