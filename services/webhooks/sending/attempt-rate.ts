/**
 * Attempts of an endpoint that can begin in one span: at most 250 in a second. They can begin at once, because reading
 * and writing for several attempts at the same time costs little more than for one. Spread evenly, a long backlog costs
 * three times as much.
 */
const BURST = 8;
const SPAN_MS = 32;
/** Maximum delay of a span that shortens it, so that a busy process keeps the pace. */
const LATE_MS_MAX = 16;
/** Between two attempts of an endpoint that has only failed of late. docs/guides/webhook-deliveries.md#order */
const FAILING_GAP_MS = 500;
/** An attempt that takes longer keeps its place from others like one that hangs. */
const SLOW_MS = 2000;
/** Number of failures in a row after which attempts of an endpoint keep this gap. */
const FAILURES_SLOW = 20;

/** Speed at which one endpoint gets its deliveries. */
export interface AttemptRate {
  /** Time until the next attempt may begin; 0 when it may begin now. */
  waitMs(now: number): number;
  begun(now: number): void;
  /** Takes the end of an attempt, and its duration. */
  ended(hasSucceeded: boolean, ms: number): void;
  isFailing(): boolean;
  /** Whether the last attempt has failed, or was slow. */
  mayHang(): boolean;
  /**
   * Number of attempts that can run at once: one for an endpoint that is not known yet, and twice as many with each
   * success.
   */
  atOnce(): number;
  /** Lets nothing begin for this time. */
  pause(now: number, ms: number): void;
}

/** @param atOnceMax attempts at once while the endpoint takes them */
export function createAttemptRate(atOnceMax: number, isFailing: boolean): AttemptRate {
  let failures = isFailing ? 1 : 0;
  let nextAt = 0;
  let spanEndsAt = 0;
  let leftInSpan = 0;
  let atOnce = 1;
  let wasSlow = false;
  const isPaused = () => failures >= FAILURES_SLOW;
  return {
    waitMs: (now) => Math.max(0, nextAt - now),
    begun(now) {
      if (isPaused()) {
        nextAt = now + FAILING_GAP_MS;
        return;
      }
      if (now >= spanEndsAt) {
        spanEndsAt = Math.max(spanEndsAt, now - LATE_MS_MAX) + SPAN_MS;
        leftInSpan = BURST;
      }
      leftInSpan -= 1;
      if (leftInSpan === 0) nextAt = spanEndsAt;
    },
    ended(hasSucceeded, ms) {
      wasSlow = ms > SLOW_MS;
      if (hasSucceeded) atOnce = Math.min(atOnceMax, atOnce * 2);
      failures = hasSucceeded ? 0 : failures + 1;
    },
    isFailing: () => failures > 0,
    mayHang: () => failures > 0 || wasSlow,
    atOnce: () => (isPaused() ? 1 : atOnce),
    pause(now, ms) {
      nextAt = Math.max(nextAt, now + ms);
    },
  };
}
