import { setTimeout as pauseFor } from "node:timers/promises";

/** Work that is done again and again in the background. */
export interface Polling {
  /** Has the work done at once. Work that runs at the moment is done once more when it has ended. */
  wake(): void;
  /** Ends the pause, tells the work to end, and waits until it has. */
  stop(): Promise<void>;
}

export interface PollingOptions {
  /** Longest pause in which nothing wakes the work. */
  everyMs: number;
  /** A pause in which nothing wakes the work is at least this many times as long as the work before it. Default: 0. */
  restTimes?: number;
  /**
   * Does what there is to do at the moment. True when there may be more, which is then done without a pause.
   * @param signal aborted when the work is to end
   */
  work(signal: AbortSignal): Promise<boolean>;
  /** Is told of a failure, and not of those that follow it before the work has succeeded again. */
  onFailure(error: Error): void;
  /** Whether the first thing is a pause: work that cleans up can wait until a process has started. */
  laterFirst?: boolean;
  /** Waits, until the signal is aborted at most. Tests have a clock of their own. */
  pause?(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * Does work in the background: at intervals, without a pause while there is more to do, and at once when it is woken.
 * One run ends before the next begins. A failure, of the database for example, is logged once and does not end it: the
 * next run is tried after the interval. The intervals find work that was never woken, because the process that should
 * have woken it was killed.
 */
export function startPolling({
  everyMs,
  restTimes = 0,
  work,
  onFailure,
  laterFirst = false,
  pause = pauseUnlessAborted,
}: PollingOptions): Polling {
  const stopping = new AbortController();
  let pausing = new AbortController();
  let isWoken = !laterFirst;
  let hasFailed = false;
  let tookMs = 0;

  async function succeeds(): Promise<boolean> {
    const begun = performance.now();
    try {
      const hasMore = await work(stopping.signal);
      hasFailed = false;
      return hasMore;
    } catch (error) {
      if (!hasFailed && !stopping.signal.aborted) onFailure(error as Error);
      hasFailed = true;
      return false;
    } finally {
      tookMs = performance.now() - begun;
    }
  }

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (!isWoken) {
        pausing = new AbortController();
        await pause(Math.max(everyMs, restTimes * tookMs), pausing.signal);
        if (stopping.signal.aborted) return;
      }
      isWoken = false;
      if (await succeeds()) isWoken = true;
    }
  }

  const polled = poll();
  return {
    wake() {
      // Each abort makes an error with its stack, also when there is nothing left to abort, and every write wakes
      // something.
      if (isWoken) return;
      isWoken = true;
      pausing.abort();
    },
    stop() {
      stopping.abort();
      pausing.abort();
      return polled;
    },
  };
}

/** Waits, until the signal is aborted at most. It does not keep a process alive that has nothing else to do. */
export async function pauseUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  await pauseFor(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
