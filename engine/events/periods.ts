import type { Query } from "../../database/query.ts";
import { addPartition, dropPartition, type Partition, partitionsOf } from "../periods/partitions.ts";

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
  const newest = Math.max(0, ...(await partitionsOf(query, LOG, BEFORE)).map(({ from }) => from / SIZE));
  for (let period = newest + 1; period <= last; period += 1)
    await addPartition(query, LOG, { name: `${LOG}_${period}`, from: period * SIZE, to: (period + 1) * SIZE });
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
  const gone = (await partitionsOf(query, LOG, BEFORE)).filter(({ from }) => from < first * SIZE);
  for (const partition of gone) await dropPartition(query, LOG, partition);
  return gone.map(({ name }) => name);
}

/** The partitions of the log, and those that a killed process has taken out of it. */
export function periodsOfLog(query: Query): Promise<Partition[]> {
  return partitionsOf(query, LOG, BEFORE);
}

const LOG = "change_log";
/** The partition with the entries of releases before the log. */
const BEFORE = "change_log_before";
const SETTING = "change_log_periods";
const WRITE = "update settings set value = $2::jsonb where name = $1";
