/** Begins a piece of work in time, and never while it is running. */
export interface Pacer {
  /**
   * Lets it begin `afterLastMs` after it began last, and not before a time in milliseconds of performance.now(). The
   * earliest of all wishes counts.
   */
  begin(afterLastMs: number, notBefore?: number): void;
  /**
   * Runs it again and again until `isDone`.
   * @throws the error with which it has failed
   */
  finish(isDone: () => boolean): Promise<void>;
}

/**
 * @param work gives its error, and never throws it
 * @param next asks for the next run when one is done: wishes of the meantime do not count
 */
export function createPacer(work: () => Promise<Error | undefined>, next: () => void): Pacer {
  let timer: NodeJS.Timeout | undefined;
  let beginsAt = Number.POSITIVE_INFINITY;
  let lastAt = Number.NEGATIVE_INFINITY;
  let running: Promise<Error | undefined> | undefined;

  function run(): Promise<Error | undefined> {
    clearTimeout(timer);
    beginsAt = Number.POSITIVE_INFINITY;
    lastAt = performance.now();
    running = work().finally(() => {
      running = undefined;
      next();
    });
    return running;
  }

  return {
    begin(afterLastMs, notBefore = performance.now()) {
      const at = Math.max(lastAt + afterLastMs, notBefore);
      if (running || at >= beginsAt) return;
      beginsAt = at;
      clearTimeout(timer);
      timer = setTimeout(() => void run(), Math.max(0, beginsAt - performance.now())).unref();
    },
    async finish(isDone) {
      await running;
      while (!isDone()) {
        const error = await run();
        if (error) throw error;
      }
      clearTimeout(timer);
    },
  };
}
