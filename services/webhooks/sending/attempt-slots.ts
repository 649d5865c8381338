import { PER_TURN } from "../../../config/shares.ts";

/** A source of attempts, which makes one after the other as slots become free. */
export interface Asker {
  /** Whether its last attempt has failed, or was slow: the next one may hang. */
  mayHang(): boolean;
  /** Begins an attempt, and gives its end; null when none may begin at the moment. */
  begin(): Promise<void> | null;
}

export interface AttemptSlots {
  /** Lets it begin attempts in its turn, until it has none. */
  ask(asker: Asker): void;
}

/**
 * Number of attempts that begin in this time while the event loop has no time to rest. Requests have the rest of it.
 */
const BEGUN_WHEN_BUSY = 4;
const BUSY_MS = 5;
/**
 * Number of attempts that begin in that time while requests wait for the database: each attempt costs PostgreSQL as
 * much as a request.
 */
const BEGUN_WHEN_WAITING = 1;
/** The part of the time that the event loop works when it has none to rest. */
const BUSY = 0.9;

/**
 * Shares the places for attempts among all who ask: each gets one in its turn, so one with a hundred thousand
 * deliveries waits as long as one with a single one. Those whose last attempt has failed or was slow may hang for long,
 * and have a part of the places only.
 * @param hasWaiting whether requests wait for the database
 */
export function createAttemptSlots(
  all: number,
  forHanging: number,
  { perTurn = PER_TURN.attempts, hasWaiting }: { perTurn?: number; hasWaiting(): boolean },
): AttemptSlots {
  const lines = { hanging: new Set<Asker>(), others: new Set<Asker>() };
  let taken = 0;
  let takenByHanging = 0;
  let begun = 0;
  let most = perTurn;
  let worked = performance.eventLoopUtilization();

  function nextTurn(): void {
    begun = 0;
    fill();
  }

  /**
   * Number of attempts that can begin in `BUSY_MS` while requests need most of the time; undefined if there is time for
   * both.
   */
  function mostWhenBusy(): number | undefined {
    const isBusy = performance.eventLoopUtilization(worked).utilization > BUSY;
    worked = performance.eventLoopUtilization();
    if (hasWaiting()) return BEGUN_WHEN_WAITING;
    return isBusy ? BEGUN_WHEN_BUSY : undefined;
  }

  /** Waits for the next turn of the event loop, or a little longer when others need the time. */
  function waitForTurn(): void {
    const busy = mostWhenBusy();
    most = busy ?? perTurn;
    if (busy === undefined) setImmediate(nextTurn);
    else setTimeout(nextTurn, BUSY_MS).unref();
  }

  function occupy(asker: Asker, done: Promise<void>, mayHang: boolean): void {
    taken += 1;
    begun += 1;
    if (begun === 1) waitForTurn();
    if (mayHang) takenByHanging += 1;
    void done.finally(() => {
      taken -= 1;
      if (mayHang) takenByHanging -= 1;
      ask(asker);
    });
  }

  /** Serves the first of a line. It goes to the end of its line when it has begun something. */
  function serve(line: Set<Asker>): void {
    const [asker] = line;
    if (!asker) return;
    line.delete(asker);
    const mayHang = asker.mayHang();
    const done = asker.begin();
    if (!done) return;
    occupy(asker, done, mayHang);
    (mayHang ? lines.hanging : lines.others).add(asker);
  }

  function fill(): void {
    while (taken < all && begun < most) {
      if (lines.others.size > 0) serve(lines.others);
      else if (lines.hanging.size > 0 && takenByHanging < forHanging) serve(lines.hanging);
      else return;
    }
  }

  function ask(asker: Asker): void {
    const line = asker.mayHang() ? lines.hanging : lines.others;
    if (!lines.hanging.has(asker) && !lines.others.has(asker)) line.add(asker);
    fill();
  }

  return { ask };
}
