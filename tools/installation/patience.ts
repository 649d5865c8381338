import { setTimeout as pause } from "node:timers/promises";

const PAUSE_MS = 1_000;
/** Interval of the line that says that something is away, for admins who look later. */
const REMINDER_MS = 30_000;

export interface Patience {
  /** Whether an error means "away", so that a later attempt may succeed. All others are thrown. */
  isAway(error: unknown): boolean;
  /** Told at the first failed attempt, and again every 30 s. */
  onWait(message: string): void;
  /** Meaning of an error for that message; null, or nothing given: its own words. */
  meaning?(error: unknown): string | null;
  /** Ends the waiting with the error of the last attempt. */
  signal: AbortSignal;
  /** Time between attempts, 1 s by default. */
  pauseMs?: number;
}

/**
 * Makes an attempt again until it succeeds, however long that takes: a start waits for NATS and PostgreSQL.
 * docs/guides/running.md#starting
 * @param what is waited for, as the message names it
 * @throws the error of an attempt that does not mean "away", or of the last one when the signal is aborted
 */
export async function tryPatiently<T>(what: string, attempt: () => Promise<T>, patience: Patience): Promise<T> {
  let toldAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (patience.signal.aborted || !patience.isAway(error)) throw error;
      if (Date.now() - toldAt >= REMINDER_MS) {
        toldAt = Date.now();
        patience.onWait(`Waiting for ${what}: ${patience.meaning?.(error) ?? (error as Error).message}`);
      }
      // An aborted pause leads to one more attempt, whose error then ends this.
      await pause(patience.pauseMs ?? PAUSE_MS, undefined, { signal: patience.signal }).catch(() => undefined);
    }
  }
}
