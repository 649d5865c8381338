import { setTimeout as pause } from "node:timers/promises";

const PAUSE_MS = 1_000;
/** One line tells that something is away; it is repeated now and then for those who look later. */
const REMINDER_MS = 30_000;

export interface Patience {
  /** Whether an error means "away", so that a later attempt may succeed. All others are thrown. */
  isAway(error: unknown): boolean;
  /** Told at the first failed attempt, and again every 30 s. */
  onWait(message: string): void;
  /** Ends the waiting with the error of the last attempt. */
  signal: AbortSignal;
  /** Time between attempts, 1 s by default. */
  pauseMs?: number;
}

/** Tries until it succeeds, however long that takes. OP-13: a start with NATS or PostgreSQL away waits for them. */
export async function tryPatiently<T>(what: string, attempt: () => Promise<T>, patience: Patience): Promise<T> {
  let toldAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (patience.signal.aborted || !patience.isAway(error)) throw error;
      if (Date.now() - toldAt >= REMINDER_MS) {
        toldAt = Date.now();
        patience.onWait(`Waiting for ${what}: ${(error as Error).message}`);
      }
      // An aborted pause leads to one more attempt, whose error then ends this.
      await pause(patience.pauseMs ?? PAUSE_MS, undefined, { signal: patience.signal }).catch(() => undefined);
    }
  }
}
