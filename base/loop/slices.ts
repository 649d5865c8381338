import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Longest time that a piece of work holds the event loop before others get their turn. Several such pieces may fall
 * into one turn of the loop, so it is a part of the 50 ms that one request may hold it for.
 * docs/guides/under-load.md
 */
const SLICE_MS = 8;

/** Divides work that may be long into slices, between which the event loop serves others. */
export interface Slices {
  /**
   * Whether this slice has lasted long enough. It costs less than a microsecond, so it may be asked for each thing of a
   * list.
   */
  isOver(): boolean;
  /** Lets the event loop serve others. A new slice begins afterwards. */
  next(): Promise<void>;
}

/** Slices of work that begins now: `for (…) { if (slices.isOver()) await slices.next(); … }`. */
export function openSlices(): Slices {
  let since = performance.now();
  return {
    isOver: () => performance.now() - since > SLICE_MS,
    async next() {
      await nextTurn();
      since = performance.now();
    },
  };
}
