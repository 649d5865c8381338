/** A quota of requests in a sliding window. */
export interface Policy {
  name: string;
  quota: number;
  windowS: number;
}

/** Where a caller stands in one policy. `resetMs`: until the oldest counted request leaves the window. */
export interface Standing {
  remaining: number;
  resetMs: number;
}

/**
 * Whether a request is admitted; when not, by which policy, and after how long the next one surely is. The standings are
 * in the order of the policies.
 */
export interface Decision {
  standings: Standing[];
  exceeded: string | null;
  retryAfterMs: number;
}

/** The times of the admitted requests of one caller, oldest first, as far back as the longest window. */
export type Log = number[];

/**
 * Takes one unit when every policy has one left, exactly: in no interval as long as a window are more than its quota
 * admitted. Refused requests do not count. Changes `log`. `now` in milliseconds of a clock that never steps back.
 */
export function take(log: Log, policies: readonly Policy[], now: number): Decision {
  forget(log, policies, now);
  let exceeded: string | null = null;
  let retryAfterMs = 0;
  for (const { name, quota, windowS } of policies) {
    const blocking = log[log.length - quota];
    if (blocking === undefined) continue;
    const wait = windowS * 1000 - (now - blocking);
    if (wait > retryAfterMs) {
      exceeded = name;
      retryAfterMs = wait;
    }
  }
  if (exceeded === null) log.push(now);
  return { standings: policies.map((policy) => standing(log, policy, now)), exceeded, retryAfterMs };
}

/** Puts down a request that was admitted elsewhere. */
export function record(log: Log, policies: readonly Policy[], now: number): void {
  forget(log, policies, now);
  log.push(now);
}

function forget(log: Log, policies: readonly Policy[], now: number): void {
  let longestMs = 0;
  for (const { windowS } of policies) longestMs = Math.max(longestMs, windowS * 1000);
  let outdated = 0;
  while (outdated < log.length && now - (log[outdated] ?? now) >= longestMs) outdated++;
  // Rarely, and then many at once: moving the log for every request would cost more than the request.
  if (outdated > 64 || outdated === log.length) log.splice(0, outdated);
}

/** Times are compared by their distance to `now`, never added to: a rounded sum could make a window a second longer. */
function standing(log: Log, { quota, windowS }: Policy, now: number): Standing {
  const windowMs = windowS * 1000;
  const first = firstWithin(log, windowMs, now);
  const oldest = log[first];
  return {
    remaining: Math.max(0, quota - (log.length - first)),
    resetMs: oldest === undefined ? 0 : windowMs - (now - oldest),
  };
}

/** Index of the first time less than a window ago; the log ascends. */
function firstWithin(log: Log, windowMs: number, now: number): number {
  let [low, high] = [0, log.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (now - (log[middle] ?? 0) < windowMs) high = middle;
    else low = middle + 1;
  }
  return low;
}
