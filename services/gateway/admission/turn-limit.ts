/** Begins pieces of work, a limited number of them in one turn of the event loop, the tenants in turns. */
export interface TurnLimit {
  /**
   * Begins the work at once, or in one of the next turns of the event loop if this one has begun enough.
   * @param tenantOf gives the workspace of the work; it is called only if the work has to wait
   */
  run(work: () => void, tenantOf?: () => string): void;
  /** Whether work waits for a later turn. */
  isBusy(): boolean;
  /** Number of pieces of work of a tenant that wait. */
  waitingOf(tenant: string): number;
  /** Number of pieces of work that wait. */
  waiting(): number;
}

const NOBODY = () => "";

/**
 * Keeps the turns of the event loop short when much work comes at once. A request that is under way needs several
 * turns, one for each answer of the database, and in each of them it would wait until all of that work is begun.
 * docs/decisions/0009-overload.md
 *
 * Each tenant has a line of their own, so that one who floods waits behind themselves. docs/guides/under-load.md#turns
 * @param perTurn how many pieces of work are begun in one turn
 */
export function createTurnLimit(perTurn: number): TurnLimit {
  const lines = new Map<string, (() => void)[]>();
  let waiting = 0;
  let done = 0;
  let isTurnDue = false;

  function nextTurn(): void {
    isTurnDue = false;
    done = 0;
    for (const [tenant, line] of lines) {
      if (done >= perTurn) return;
      // A tenant that had a turn goes to the end of the map, so the others come first, also in the next turn of the
      // event loop. This loop reaches the new end, too.
      lines.delete(tenant);
      const work = line.shift();
      if (line.length > 0) lines.set(tenant, line);
      if (!work) continue;
      waiting -= 1;
      start(work);
    }
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
    run(work, tenantOf = NOBODY) {
      if (done < perTurn && waiting === 0) {
        start(work);
        return;
      }
      const tenant = tenantOf();
      const line = lines.get(tenant);
      if (line) line.push(work);
      else lines.set(tenant, [work]);
      waiting += 1;
    },
    isBusy: () => waiting > 0,
    waitingOf: (tenant) => lines.get(tenant)?.length ?? 0,
    waiting: () => waiting,
  };
}
