/** Time and chance, as far as retries depend on them. Tests give their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** A number from 0 up to 1. */
  random(): number;
  /** Rejects with the reason of the signal as soon as that is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        if (signal.aborted) reject(signal.reason);
        else resolve();
      };
      const timer = setTimeout(end, Math.min(ms, TIMER_MAX_MS));
      signal.addEventListener("abort", end);
    }),
};

/** A timer that is set for longer goes off at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;
