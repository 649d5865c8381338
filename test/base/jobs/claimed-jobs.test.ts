import { describe, expect, it } from "@jest/globals";
import { doClaimedJobs } from "../../../base/jobs/claimed-jobs.ts";
import type { PollingOptions } from "../../../base/jobs/polling.ts";
import { until } from "../../../lab/harness/until.ts";

/** Only a wake ends a pause. */
const sleepless: PollingOptions["pause"] = (_, signal) =>
  new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

describe("Claimed jobs", () => {
  /** Jobs that are due, which end one by one when the test says so. */
  function start(
    due: string[],
    atOnce = 2,
    rest: { ms: number; pause: PollingOptions["pause"] } = { ms: 0, pause: sleepless },
  ) {
    const asked: number[] = [];
    const failures: string[] = [];
    const running = new Map<string, { end(): void; fail(): void }>();
    const jobs = doClaimedJobs<string>({
      atOnce,
      everyMs: 1000,
      pause: rest.pause,
      restMs: () => rest.ms,
      claim: async (count) => {
        asked.push(count);
        return due.splice(0, count);
      },
      run: (job, signal) =>
        new Promise((resolve, reject) => {
          const leave = () => running.delete(job);
          running.set(job, { end: () => leave() && resolve(), fail: () => leave() && reject(new Error("broken")) });
          signal.addEventListener("abort", () => leave() && resolve());
        }),
      onFailure: () => undefined,
      onJobFailure: (job, { message }) => failures.push(`${job} ${message}`),
    });
    const names = () => [...running.keys()];
    const runs = (...wanted: string[]) => until(`${wanted} run`, () => names().join() === wanted.join());
    return { due, asked, failures, running, jobs, runs };
  }

  it("run side by side up to a number, and the next begins as soon as one ends", async () => {
    const { runs, running, jobs, asked } = start(["a", "b", "c", "d"]);
    await runs("a", "b");
    running.get("b")?.end();
    await runs("a", "c");
    running.get("a")?.end();
    await runs("c", "d");
    expect(asked).toEqual([2, 1, 1]);
    await jobs.stop();
  });

  it("rest after a claim, and one more fills all places that got free meanwhile", async () => {
    const rested = Promise.withResolvers<void>();
    const pause: PollingOptions["pause"] = async (ms, signal) => {
      await (ms === 50 ? rested.promise : sleepless?.(ms, signal));
    };
    const { runs, running, jobs, asked } = start(["a", "b", "c", "d"], 2, { ms: 50, pause });
    await runs("a", "b");
    running.get("a")?.end();
    await runs("b");
    await new Promise(setImmediate);
    running.get("b")?.end();
    await runs();
    rested.resolve();
    await runs("c", "d");
    expect(asked).toEqual([2, 2]);
    await jobs.stop();
  });

  it("are not looked for while no place is free", async () => {
    const { runs, jobs, asked } = start(["a", "b"]);
    await runs("a", "b");
    jobs.wake();
    await new Promise(setImmediate);
    expect(asked).toEqual([2]);
    await jobs.stop();
  });

  it("begin when they are woken, beside one that takes long", async () => {
    const { due, runs, jobs } = start(["long"]);
    await runs("long");
    due.push("new");
    jobs.wake();
    await runs("long", "new");
    await jobs.stop();
  });

  it("that fail leave their place, and are told one by one", async () => {
    const { due, runs, running, jobs, failures } = start(["a", "b"]);
    await runs("a", "b");
    due.push("c");
    running.get("a")?.fail();
    await runs("b", "c");
    running.get("b")?.fail();
    await runs("c");
    expect(failures).toEqual(["a broken", "b broken"]);
    await jobs.stop();
  });

  it("are told to end by a stop, which waits for them, and none begins afterwards", async () => {
    const { due, runs, running, jobs } = start(["a", "b"]);
    await runs("a", "b");
    due.push("c");
    await jobs.stop();
    expect([[...running.keys()], due]).toEqual([[], ["c"]]);
  });
});
