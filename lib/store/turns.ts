import { unavailable } from "../contract/errors.ts";

/** Runs work when a place is free for it, and gives its result. */
export type TakeTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

interface Bounds {
  /** How many places there are. Who finds none free waits, in the order in which they came. */
  atOnce: number;
  /** How many may wait. One more is refused at once. */
  waitingMax: number;
  /** How long anybody waits. */
  waitMs: number;
  /**
   * Refuse at once when the oldest has waited `jamMs` and at least `atOnce` wait: more come than can be served. Fewer who wait
   * are no jam, however slow the machine is.
   */
  jamMs: number;
}

/**
 * A bounded queue for one kind of work on the database. A turn is a place on one of the pool's connections (and has nothing to
 * do with turns of the event loop). Each kind has so many places that it leaves connections to the other kinds.
 * docs/guides/limits.md#under-load
 * @throws ApiError 503 when the queue is full or jammed, or no place became free in time. The work was not begun then.
 */
export function createTurns({ atOnce, waitingMax, waitMs, jamMs }: Bounds): TakeTurn {
  const waiting: { go: () => void; since: number }[] = [];
  let running = 0;

  function waitForPlace(): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return Promise.resolve();
    }
    const since = performance.now();
    const [oldest] = waiting;
    const isJammed = oldest !== undefined && waiting.length >= atOnce && since - oldest.since > jamMs;
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
    await waitForPlace();
    try {
      return await work();
    } finally {
      // The place goes to the one who has waited longest, or becomes free.
      const next = waiting.shift();
      if (next) next.go();
      else running -= 1;
    }
  };
}

function busy() {
  return unavailable("Too many requests of this kind are being processed. Try again.");
}
