import { describe, expect, it } from "@jest/globals";
import { type Polling, type PollingOptions, startPolling } from "../../../base/jobs/polling.ts";
import { until } from "../../../lab/harness/until.ts";

/** A promise that is resolved from outside. */
function gate(): { opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** A clock whose pauses end when the test says so, or when they are aborted. */
function ownClock() {
  const pauses: { ms: number; end: () => void }[] = [];
  const pause: PollingOptions["pause"] = (ms, signal) =>
    new Promise((resolve) => {
      const end = () => {
        pauses.splice(pauses.indexOf(entry), 1);
        resolve();
      };
      const entry = { ms, end };
      pauses.push(entry);
      signal.addEventListener("abort", end, { once: true });
    });
  const rests = () => until("it pauses", () => pauses[0]);
  return { pause, pauses, rests };
}

describe("Polling", () => {
  /** Work that is counted, with what each run does; those beyond the list find nothing to do. */
  function start(runs: (() => Promise<boolean>)[], options: Partial<PollingOptions> = {}) {
    const clock = ownClock();
    const failures: string[] = [];
    let count = 0;
    const polling: Polling = startPolling({
      everyMs: 1000,
      pause: clock.pause,
      onFailure: ({ message }) => failures.push(message),
      work: () => {
        count += 1;
        return runs[count - 1]?.() ?? Promise.resolve(false);
      },
      ...options,
    });
    return { ...clock, polling, failures, count: () => count };
  }
  const nothing = async () => false;
  const more = async () => true;
  const fails = async () => {
    throw new Error("The database is away");
  };

  it("works at once, and then again after each interval", async () => {
    const { rests, polling, count } = start([]);
    const first = await rests();
    expect([first.ms, count()]).toEqual([1000, 1]);
    first.end();
    await rests();
    expect(count()).toBe(2);
    await polling.stop();
  });

  it("rests for a multiple of the time that the work took, when that is longer than the interval", async () => {
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return false;
    };
    const { rests, polling } = start([slow], { restTimes: 30 });
    const first = await rests();
    expect(first.ms).toBeGreaterThanOrEqual(30 * 49);
    first.end();
    expect((await rests()).ms).toBeGreaterThanOrEqual(1000);
    await polling.stop();
  });

  it("begins with a pause when its work can wait", async () => {
    const { rests, polling, count } = start([], { laterFirst: true });
    await rests();
    expect(count()).toBe(0);
    await polling.stop();
    expect(count()).toBe(0);
  });

  it("works without a pause while there is more to do", async () => {
    const { rests, polling, count } = start([more, more, nothing]);
    await rests();
    expect(count()).toBe(3);
    await polling.stop();
  });

  it("ends its pause when it is woken", async () => {
    const { rests, pauses, polling, count } = start([]);
    await rests();
    polling.wake();
    expect(pauses).toEqual([]);
    await rests();
    expect(count()).toBe(2);
    await polling.stop();
  });

  it("never overlaps itself: woken while it works, it works once more, however often it was woken", async () => {
    const { opened, open } = gate();
    const { rests, polling, count } = start([() => opened.then(nothing)]);
    polling.wake();
    polling.wake();
    expect(count()).toBe(1);
    open();
    await rests();
    expect(count()).toBe(2);
    await polling.stop();
  });

  it("goes on after a failure, with the interval between, and tells the first of several in a row", async () => {
    const { rests, polling, failures, count } = start([fails, fails, nothing, fails]);
    for (let i = 0; i < 3; i += 1) (await rests()).end();
    await rests();
    expect(count()).toBe(4);
    expect(failures).toHaveLength(2);
    await polling.stop();
  });

  it("stops when the work that runs has ended, which it is told to do", async () => {
    const { opened, open } = gate();
    let told: AbortSignal | undefined;
    const { polling, count } = start([], {
      work: async (signal) => {
        told = signal;
        await opened;
        return true;
      },
    });
    let hasStopped = false;
    const stopped = polling.stop().then(() => {
      hasStopped = true;
    });
    expect(told?.aborted).toBe(true);
    await Promise.resolve();
    expect(hasStopped).toBe(false);
    open();
    await stopped;
    expect(count()).toBe(0);
  });

  it("tells no failure of work that was told to end", async () => {
    const { failures, polling } = start([], {
      work: (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(new Error("aborted")));
        }),
    });
    await polling.stop();
    expect(failures).toEqual([]);
  });

  it("is woken, and stops, in the pauses of the real clock too", async () => {
    let count = 0;
    const polling = startPolling({
      everyMs: 3_600_000,
      onFailure: () => undefined,
      work: async () => {
        count += 1;
        return false;
      },
    });
    await until("it has worked", () => count === 1);
    polling.wake();
    await until("it has worked again", () => count === 2);
    await polling.stop();
    expect(count).toBe(2);
  });
});
