/** A quota of requests in a sliding window. */
export interface Policy {
  name: string;
  quota: number;
  windowS: number;
}

/**
 * Standing of a user or an address in one policy. The oldest counted request leaves the window in `resetMs`.
 * docs/guides/limits.md#headers
 */
export interface Standing {
  remaining: number;
  resetMs: number;
}

/**
 * Whether a request is admitted. `exceeded` names the policy that refuses it, null when it is admitted, and after
 * `retryAfterMs` the next one is sure to fit. The standings are in the order of the policies.
 */
export interface Decision {
  standings: Standing[];
  exceeded: string | null;
  retryAfterMs: number;
}

/** The times of the admitted requests of one user or address, oldest first, as far back as the longest window. */
export type Log = number[];

/**
 * Decides about a request: it is admitted when it fits into every policy, and put into `log`. This is exact, so that in
 * no interval as long as a window are more requests admitted than its quota. Refused requests do not count. `now` is in
 * milliseconds of a clock that never steps back. docs/guides/limits.md#rate-limits
 */
export function admit(log: Log, policies: readonly Policy[], now: number): Decision {
  dropOutdated(log, policies, now);
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

/** Whether a request fits into every policy now. It is not put into `log`. `now` as in `admit`. */
export function hasRoom(log: Log, policies: readonly Policy[], now: number): boolean {
  return policies.every(({ quota, windowS }) => {
    const blocking = log[log.length - quota];
    return blocking === undefined || now - blocking >= windowS * 1000;
  });
}

function dropOutdated(log: Log, policies: readonly Policy[], now: number): void {
  let longestMs = 0;
  for (const { windowS } of policies) longestMs = Math.max(longestMs, windowS * 1000);
  let outdated = 0;
  while (outdated < log.length && now - (log[outdated] ?? now) >= longestMs) outdated++;
  // This is done rarely, for many at once: moving the rest of the log for every request would cost more than the
  // request.
  if (outdated > 64 || outdated === log.length) log.splice(0, outdated);
}

/**
 * Times are compared by their distance to `now` and never added up: a sum may be rounded, and make a window a second
 * longer.
 */
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
