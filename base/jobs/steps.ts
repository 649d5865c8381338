import { setTimeout as pause } from "node:timers/promises";

/** Rest after a step, as a multiple of the time that it took: requests get nine tenths of disk and processor. */
const REST = 9;

interface Options {
  /** Ends the work after the step that is running. */
  signal?: AbortSignal | undefined;
}

/** Result of a step, and the place where the next one goes on; null when there is nothing more. */
export interface Step<Place> {
  count: number;
  next: Place | null;
}

/**
 * Does work on many rows in small steps with rests between them, so that no request waits for it for long. Gives the
 * amount done altogether. Each step goes on where the last one ended: an index holds the entries of rows that were just
 * deleted for a while, and a step that began anew would read them all.
 */
export async function workInSteps<Place>(
  from: Place,
  step: (from: Place) => Promise<Step<Place>>,
  { signal }: Options = {},
): Promise<number> {
  let done = 0;
  for (let place: Place | null = from; place !== null && !signal?.aborted; ) {
    const begun = performance.now();
    const { count, next }: Step<Place> = await step(place);
    done += count;
    place = next;
    if (next !== null) await pause(REST * (performance.now() - begun), undefined, { signal }).catch(() => undefined);
  }
  return done;
}
