import type { Log, Policy } from "../../lib/rate-limits/windows.ts";

/** Stamps of a full log in the database: up to a page, where each request writes one. */
const STAMPS_WISHED = 1000;
/** A stamp stands for a hundredth of the smallest quota at most, so that no policy is off by more. */
const STAMPS_OF_A_QUOTA_MIN = 100;

/**
 * For how many requests a stamp in the database stands: one, unless the quotas are so large that a log of single requests
 * would be. Its time is that of the newest of them, so no window ever admits more than its quota.
 */
export function unitsOf(policies: readonly Policy[]): number {
  const longestS = Math.max(...policies.map(({ windowS }) => windowS));
  const fullest = Math.min(...policies.map(({ quota, windowS }) => quota * Math.ceil(longestS / windowS)));
  const smallest = Math.min(...policies.map(({ quota }) => quota));
  return Math.max(1, Math.floor(Math.min(fullest / STAMPS_WISHED, smallest / STAMPS_OF_A_QUOTA_MIN)));
}

/** The ages of a log's stamps in whole microseconds, oldest first: rounded down, so that none leaves a window too early. */
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
