import { type Polling, type PollingOptions, pauseUnlessAborted, startPolling } from "./polling.ts";

interface Options<Job> extends Pick<PollingOptions, "everyMs" | "restTimes" | "onFailure" | "pause"> {
  atOnce: number;
  /** Takes up to `count` jobs that are due, which no other process gets while this one does them. */
  claim(count: number): Promise<Job[]>;
  /**
   * Time without a claim after each claim, in milliseconds: the next one fills all places that get free meanwhile.
   * Default: 0.
   */
  restMs?(): number;
  /**
   * Does a job, and gives it back when the signal is aborted. A job that fails is done again when its lease ends, so
   * its claim has to end by itself.
   */
  run(job: Job, signal: AbortSignal): Promise<void>;
  onJobFailure(job: Job, error: Error): void;
}

/**
 * Does jobs that lie in a table, several at once, each as soon as it is due and a place is free. A long job holds up
 * only its own place. `stop` waits until the jobs that are under way have ended, or were given back.
 */
export function doClaimedJobs<Job>({
  atOnce,
  claim,
  restMs = () => 0,
  run,
  onJobFailure,
  ...polling
}: Options<Job>): Polling {
  const { pause = pauseUnlessAborted } = polling;
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();

  function begin(job: Job): void {
    const done = run(job, stopping.signal)
      .catch((error: Error) => onJobFailure(job, error))
      .finally(() => {
        running.delete(done);
        jobs.wake();
      });
    running.add(done);
  }

  const jobs = startPolling({
    ...polling,
    async work(signal) {
      const free = atOnce - running.size;
      if (free > 0) for (const job of await claim(free)) begin(job);
      if (restMs() > 0) await pause(restMs(), signal);
      // When all places are taken, a job that ends wakes this. When some are free, nothing more is due.
      return false;
    },
  });

  return {
    wake: jobs.wake,
    async stop() {
      stopping.abort();
      await jobs.stop();
      await Promise.all(running);
    },
  };
}
