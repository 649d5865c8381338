/** Interval at which waiting times are counted. */
const TICK_MS = 20;
/** Longest time that counts between two ticks: in the rest of it the event loop was held, and no request was served. */
const COUNTED_MS_MAX = 40;

/** Waiting time of one request. */
export interface RunningTimer {
  /** Time that it has waited, in milliseconds. */
  waitedMs(): number;
  /** They wait no longer. */
  end(): void;
}

/**
 * A timer that counts only the time in which the event loop was running. While the loop is held, by a long piece of
 * work, a collection of garbage, or a machine that gives the process no time, no request is served: by the clock, a
 * pause of half a second would time out all requests that have just come.
 * @param counted is called after each count of the waiting times
 */
export function createRunningTimers(counted?: () => void): (ms: number, call: () => void) => RunningTimer {
  const waiting = new Set<() => void>();
  let counting: NodeJS.Timeout | undefined;
  let countedMs = 0;
  let countedAt = 0;

  const countedNow = () => countedMs + Math.min(COUNTED_MS_MAX, performance.now() - countedAt);

  function count(): void {
    countedMs = countedNow();
    countedAt = performance.now();
    for (const look of waiting) look();
    counted?.();
  }

  return (ms, call) => {
    if (waiting.size === 0) {
      countedAt = performance.now();
      counting = setInterval(count, TICK_MS);
    }
    const since = countedNow();
    const look = () => {
      if (countedMs - since < ms) return;
      end();
      // Messages that have arrived meanwhile are read before this, and may be the awaited ones.
      over = setImmediate(call);
    };
    let over: NodeJS.Immediate | undefined;
    const end = () => {
      waiting.delete(look);
      if (waiting.size === 0) clearInterval(counting);
      clearImmediate(over);
    };
    waiting.add(look);
    return { waitedMs: () => countedNow() - since, end };
  };
}
