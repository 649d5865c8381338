/** Between two attempts of an endpoint: 250 in a second at most. */
const GAP_MS = 4;
/** So many may begin at once after a pause. */
const BURST = 8;
/** Between two attempts of an endpoint that has only failed of late. docs/guides/webhook-deliveries.md#order */
const FAILING_GAP_MS = 500;
/** So many attempts in a row have to fail for that. */
const FAILURES_SLOW = 20;

/** How fast one endpoint gets its deliveries. */
export interface Pace {
  /** How long to wait until the next attempt may begin; 0 when it may. */
  waitMs(now: number): number;
  begun(now: number): void;
  /** How an attempt has ended. */
  ended(hasSucceeded: boolean): void;
  /** Whether the last attempt has failed. */
  isFailing(): boolean;
  /** How many attempts there may be at once. */
  atOnce(): number;
  /** Nothing begins for so long. */
  pause(now: number, ms: number): void;
}

/** @param atOnceMax attempts at once while the endpoint takes them */
export function createPace(atOnceMax: number, isFailing: boolean): Pace {
  let failures = isFailing ? 1 : 0;
  let nextAt = 0;
  const isSlow = () => failures >= FAILURES_SLOW;
  return {
    waitMs: (now) => Math.max(0, nextAt - now),
    begun(now) {
      if (isSlow()) nextAt = now + FAILING_GAP_MS;
      // Up to `nextAt` attempts may begin that a pause has left over.
      else nextAt = Math.max(nextAt, now - BURST * GAP_MS) + GAP_MS;
    },
    ended(hasSucceeded) {
      failures = hasSucceeded ? 0 : failures + 1;
    },
    isFailing: () => failures > 0,
    atOnce: () => (isSlow() ? 1 : atOnceMax),
    pause(now, ms) {
      nextAt = Math.max(nextAt, now + ms);
    },
  };
}
