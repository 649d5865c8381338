/** How often it is counted how long somebody has waited. */
const TICK_MS = 20;
/** What lies between two countings is counted up to so much: in the rest of the time the event loop was held, and nobody was served. */
const COUNTED_MS_MAX = 40;

/** Somebody who waits, for a time. */
export interface Patience {
  /** How long they have waited, in milliseconds. */
  waitedMs(): number;
  /** They wait no longer. */
  end(): void;
}

/**
 * A waiting room. Who waits there, waits for so many milliseconds in which the event loop served somebody, and is then called.
 * While the loop is held, by a long piece of work, a collection of garbage, or a machine that gives the process no time, nobody is
 * served: by the time of the clock a pause of half a second would make all seem to have waited too long who have just come.
 * @param counted is called each time when it was counted how long those who are there have waited
 */
export function openWaitingRoom(counted?: () => void): (ms: number, call: () => void) => Patience {
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
      // What has arrived meanwhile is read before this, and may be what was waited for.
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
