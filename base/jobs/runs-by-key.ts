import { pauseUnlessAborted } from "./polling.ts";

/** Work that is done for one key at a time, and for several keys side by side. */
export interface RunsByKey<Key> {
  /** Has the work done for a key at once. Work that runs for it at the moment is done once more when it has ended. */
  wake(key: Key): void;
  /** Tells what runs to end, and waits until it has. */
  stop(): Promise<void>;
}

interface Options<Key> {
  /** Maximum number of keys that are worked on at once. The others wait in the order in which they were woken. */
  atOnce: number;
  /**
   * Does what there is to do for a key, and gives whether there is more, and how long the key rests if not. What wakes
   * it meanwhile counts afterwards.
   */
  work(key: Key): Promise<{ hasMore: boolean; restMs: number }>;
  /** Waits after each run, for the sake of others. */
  pauseMs?(tookMs: number): number;
  onFailure(error: Error): void;
}

/** State of a key. A key that is woken while its work runs has another run afterwards. */
type State = "waiting" | "busy" | "busy and woken";

/**
 * Makes work that is done by key. A failure ends nothing: code that looks at intervals wakes the key again.
 */
export function createRunsByKey<Key>({ atOnce, work, pauseMs = () => 0, onFailure }: Options<Key>): RunsByKey<Key> {
  const states = new Map<Key, State>();
  const waiting: Key[] = [];
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();

  function wake(key: Key): void {
    if (stopping.signal.aborted) return;
    const state = states.get(key);
    if (state === "busy") states.set(key, "busy and woken");
    if (state !== undefined) return;
    enqueue(key);
  }

  function enqueue(key: Key): void {
    states.set(key, "waiting");
    waiting.push(key);
    startNext();
  }

  function startNext(): void {
    while (running.size < atOnce && !stopping.signal.aborted) {
      const key = waiting.shift();
      if (key === undefined) return;
      const run = runOf(key).finally(() => {
        running.delete(run);
        startNext();
      });
      running.add(run);
    }
  }

  async function runOf(key: Key): Promise<void> {
    states.set(key, "busy");
    const begun = performance.now();
    const { hasMore, restMs } = await work(key).catch((error: Error) => {
      if (!stopping.signal.aborted) onFailure(error);
      return { hasMore: false, restMs: 0 };
    });
    const forOthersMs = pauseMs(performance.now() - begun);
    if (forOthersMs > 0) await pauseUnlessAborted(forOthersMs, stopping.signal);
    // `enqueue` comes behind the pause: a key that was enqueued before would start its next run without a pause.
    if (hasMore) enqueue(key);
    else rest(key, restMs);
  }

  /** A key that rests takes no place. */
  function rest(key: Key, restMs: number): void {
    const end = () => {
      const isWoken = states.get(key) === "busy and woken";
      states.delete(key);
      if (isWoken) wake(key);
    };
    if (restMs === 0 || stopping.signal.aborted) end();
    else setTimeout(end, restMs).unref();
  }

  return {
    wake,
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
