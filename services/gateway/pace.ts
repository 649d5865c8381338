/** Work in the order in which it comes, so much of it in a turn of the event loop. */
export interface Pace {
  /** Does the work at once, or in one of the next turns when this one has done its share. */
  run(work: () => void): void;
  /** How long work that comes now will wait, as far as the last turns tell. */
  waitMs(): number;
}

/** Of a server that has had nothing to do; what the first busy turns take corrects it. */
const TURN_MS = 5;
/** The weight of the last turn among those before. */
const WEIGHT = 0.2;

/**
 * Keeps the turns of the event loop short when work comes in heaps: whatever is under way needs several of them, one for
 * each answer of the database, so it would wait for the whole heap each time.
 */
export function createPace(perTurn: number, now: () => number = () => performance.now()): Pace {
  const waiting: (() => void)[] = [];
  let done = 0;
  let turnMs = TURN_MS;
  /** When this turn began; undefined when no turn is due that would tell how long this one took. */
  let begun: number | undefined;

  function nextTurn(): void {
    const last = begun;
    begun = undefined;
    done = 0;
    for (const work of waiting.splice(0, perTurn)) start(work);
    if (begun !== undefined && last !== undefined) turnMs += WEIGHT * (begun - last - turnMs);
  }

  function start(work: () => void): void {
    done += 1;
    if (begun === undefined) {
      begun = now();
      setImmediate(nextTurn);
    }
    work();
  }

  return {
    run(work) {
      if (done < perTurn && waiting.length === 0) start(work);
      else waiting.push(work);
    },
    waitMs: () => (waiting.length / perTurn) * turnMs,
  };
}
