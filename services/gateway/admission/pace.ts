/** Work in the order in which it comes, so much of it in a turn of the event loop. */
export interface Pace {
  /** Does the work at once, or in one of the next turns when this one has done its share. */
  run(work: () => void): void;
  /** How much work waits for a turn. */
  waiting(): number;
}

/**
 * Keeps the turns of the event loop short when work comes in heaps: whatever is under way needs several of them, one for
 * each answer of the database, so it would wait for the whole heap each time.
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
