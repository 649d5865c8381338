import type { Log, Policy } from "../../base/contract/rate-windows.ts";

/** Wished number of stamps in a full log in the database. They fit into a page, and each request writes them all. */
const STAMPS_WISHED = 1000;
/**
 * A stamp stands for at most a hundredth of the smallest quota, so that no policy refuses a request when more than that
 * is left.
 */
const STAMPS_OF_A_QUOTA_MIN = 100;

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
 * The ages of the stamps of a log in whole microseconds, oldest first. They are rounded down, so that none leaves its
 * window too early.
 */
export function agesOf(log: Log, units: number, now: number): number[] {
  const ages: number[] = [];
  for (let i = log.length - 1; i >= 0; i -= units) ages.push(Math.max(0, Math.floor((now - (log[i] ?? now)) * 1000)));
  return ages.reverse();
}

/** The log of stamps with these ages in microseconds; the newest stands for `newestUnits`, the others for `units`. */
export function logOf(ages: readonly number[], units: number, newestUnits: number, now: number): Log {
  return ages.flatMap((age, i) =>
    Array<number>(i === ages.length - 1 ? newestUnits : units).fill(now - Math.max(0, age) / 1000),
  );
}
