import type { Log, Policy } from "../../base/contract/rate-windows.ts";
import type { DatabaseClock } from "./database-clock.ts";

/** Wished number of stamps in a full log in the database. They fit into a page. */
const STAMPS_WISHED = 1000;
/**
 * A stamp stands for at most a hundredth of the smallest quota, so that a log that was written and read again refuses
 * no request when more than that is left.
 */
const STAMPS_OF_A_QUOTA_MIN = 100;

/** The log of a user in the database. */
export interface StoredLog {
  /** Times in microseconds since 1970 by the clock of the database, oldest first. */
  stamps: number[];
  /** Number of requests that the newest stamp stands for. The others stand for `unitsOf` each. */
  newestUnits: number;
}

/**
 * For how many requests a stamp in the database stands: for one, unless the quotas are so large that a log with a stamp
 * for each request would be too long. The time of a stamp is that of the newest of its requests, so no window ever
 * admits more than its quota. docs/guides/limits.md#rate-limits
 */
export function unitsOf(policies: readonly Policy[]): number {
  const longestS = Math.max(...policies.map(({ windowS }) => windowS));
  const fullest = Math.min(...policies.map(({ quota, windowS }) => quota * Math.ceil(longestS / windowS)));
  const smallest = Math.min(...policies.map(({ quota }) => quota));
  return Math.max(1, Math.floor(Math.min(fullest / STAMPS_WISHED, smallest / STAMPS_OF_A_QUOTA_MIN)));
}

/**
 * A log as the database keeps it. Requests are put together from the oldest on. So those that shared a stamp before
 * share one again, and their times do not move each time the log is written.
 */
export function storedOf(log: Log, units: number, { toDatabase }: Pick<DatabaseClock, "toDatabase">): StoredLog {
  const stamps: number[] = [];
  for (let i = 0; i < log.length; i += units)
    stamps.push(toDatabase(log[Math.min(i + units, log.length) - 1] as number));
  return { stamps, newestUnits: log.length % units || units };
}

/**
 * The log that the database has kept, for a process whose clock shows `now`. When the clock of the database was set
 * back, the newest stamp is later than now. It then is now, and the others are as much older as they were, so that no
 * user is locked out and none gets a second quota.
 */
export function logOf(
  { stamps, newestUnits }: StoredLog,
  units: number,
  { toProcess }: Pick<DatabaseClock, "toProcess">,
  now: number,
): Log {
  const newest = stamps.at(-1);
  const aheadMs = newest === undefined ? 0 : Math.max(0, toProcess(newest) - now);
  return stamps.flatMap((stamp, i) =>
    Array<number>(i === stamps.length - 1 ? newestUnits : units).fill(toProcess(stamp) - aheadMs),
  );
}
