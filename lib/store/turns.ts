import { unavailable } from "../contract/errors.ts";

/** Runs work when it is its turn. */
export type TakeTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

interface Bounds {
  /** So many at once; the others wait in the order in which they came. */
  atOnce: number;
  /** So many may wait; who comes then is refused at once. */
  waitingMax: number;
  /** So long does anybody wait. */
  waitMs: number;
  /**
   * Who comes while the first of those who wait has waited this long is refused at once: more come than can be served. A few
   * who wait, no more than are being served, are no jam, however slow the machine is.
   */
  jamMs: number;
}

/**
 * A bounded queue for work that holds a connection for long, so that it does not take those of everybody else.
 * @throws ApiError 503 when the queue is full or stands still, or the turn did not come in time; nothing was done then
 */
export function createTurns({ atOnce, waitingMax, waitMs, jamMs }: Bounds): TakeTurn {
  const waiting: { go: () => void; since: number }[] = [];
  let running = 0;

  function turn(): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return Promise.resolve();
    }
    const since = performance.now();
    const [first] = waiting;
    const isJammed = first !== undefined && waiting.length >= atOnce && since - first.since > jamMs;
    if (waiting.length >= waitingMax || isJammed) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const entry = { go: resolve, since };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(entry), 1);
        reject(busy());
      }, waitMs);
      entry.go = () => {
        clearTimeout(timer);
        resolve();
      };
      waiting.push(entry);
    });
  }

  return async (work) => {
    await turn();
    try {
      return await work();
    } finally {
      // The place goes to who waits longest, or is free.
      const next = waiting.shift();
      if (next) next.go();
      else running -= 1;
    }
  };
}

function busy() {
  return unavailable("Too many requests of this kind are being processed. Try again.");
}
