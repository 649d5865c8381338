/** Begins pieces of work in the order in which they come, only so many of them in one turn of the event loop. */
export interface Pace {
  /** Begins the work at once, or in one of the next turns of the event loop when this one has begun enough. */
  run(work: () => void): void;
  /** How many pieces of work wait for a later turn. */
  waiting(): number;
}

/**
 * Keeps the turns of the event loop short when much work comes at once. A request that is under way needs several turns, one
 * for each answer of the database, and in each of them it would wait until all of that work is begun.
 * docs/decisions/0009-overload.md
 * @param perTurn how many pieces of work are begun in one turn
 */
export function createPace(perTurn: number): Pace {
  const waiting: (() => void)[] = [];
  let done = 0;
  let isTurnDue = false;

  function nextTurn(): void {
    isTurnDue = false;
    done = 0;
    for (const work of waiting.splice(0, perTurn)) start(work);
  }

  function start(work: () => void): void {
    done += 1;
    if (!isTurnDue) {
      isTurnDue = true;
      setImmediate(nextTurn);
    }
    work();
  }

  return {
    run(work) {
      if (done < perTurn && waiting.length === 0) start(work);
      else waiting.push(work);
    },
    waiting: () => waiting.length,
  };
}
