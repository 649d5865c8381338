/** A quota of requests in a sliding window. */
export interface Policy {
  name: string;
  quota: number;
  windowS: number;
}

/** Where a caller stands in one policy. `resetMs`: until the oldest counted request leaves the window. */
export interface Standing extends Policy {
  remaining: number;
  resetMs: number;
}

/** Whether a request is admitted; when not, by which policy, and after how long the next one surely is. */
export interface Decision {
  standings: Standing[];
  exceeded: string | null;
  retryAfterMs: number;
}

/** The times of the last admitted requests of one caller, oldest first, as many as the largest quota. */
export type Log = number[];

/**
 * Takes one unit when every policy has one left, exactly: in no interval as long as a window are more than its quota
 * admitted. Refused requests do not count. Changes `log`. `now` in milliseconds of a clock that never steps back.
 */
export function take(log: Log, policies: readonly Policy[], now: number): Decision {
  const longest = Math.max(...policies.map(({ windowS }) => windowS)) * 1000;
  let outdated = 0;
  while (outdated < log.length && (log[outdated] ?? now) <= now - longest) outdated++;
  // Rarely, and then many at once: moving the log for every request would cost more than the request.
  if (outdated > 64 || outdated === log.length) log.splice(0, outdated);

  let exceeded: string | null = null;
  let retryAfterMs = 0;
  for (const policy of policies) {
    const blocking = log.at(-policy.quota);
    const wait = log.length < policy.quota || blocking === undefined ? 0 : blocking + policy.windowS * 1000 - now;
    if (wait > retryAfterMs) {
      exceeded = policy.name;
      retryAfterMs = wait;
    }
  }
  if (exceeded === null) log.push(now);
  return { standings: policies.map((policy) => standing(log, policy, now)), exceeded, retryAfterMs };
}

function standing(log: Log, policy: Policy, now: number): Standing {
  const since = now - policy.windowS * 1000;
  const first = firstAfter(log, since);
  const counted = log.length - first;
  const oldest = log[first];
  return {
    ...policy,
    remaining: Math.max(0, policy.quota - counted),
    resetMs: oldest === undefined ? 0 : oldest - since,
  };
}

/** Index of the first time after `since`; the log ascends. */
function firstAfter(log: Log, since: number): number {
  let [low, high] = [0, log.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((log[middle] ?? 0) > since) high = middle;
    else low = middle + 1;
  }
  return low;
}
