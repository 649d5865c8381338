import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import { createRunsByKey, type RunsByKey } from "../../../base/jobs/runs-by-key.ts";
import { until } from "../../../lab/harness/until.ts";

const LONG_MS = 3_600_000;

interface Result {
  hasMore?: boolean;
  restMs?: number;
}

let runs: RunsByKey<string> | undefined;
let failures: string[];
/** Keys in the order in which work began for them. */
let begun: string[];
let running: Map<string, PromiseWithResolvers<Result>>;

afterEach(async () => {
  for (const { resolve } of running.values()) resolve({});
  await runs?.stop();
});

/** Runs that last until they are told to end. */
function start(options: { atOnce?: number; pauseMs?(tookMs: number): number } = {}): RunsByKey<string> {
  [failures, begun, running] = [[], [], new Map()];
  runs = createRunsByKey<string>({
    atOnce: 2,
    async work(key) {
      begun.push(key);
      expect(running.has(key)).toBe(false);
      const end = Promise.withResolvers<Result>();
      running.set(key, end);
      try {
        const { hasMore = false, restMs = 0 } = await end.promise;
        return { hasMore, restMs };
      } finally {
        running.delete(key);
      }
    },
    onFailure: ({ message }) => failures.push(message),
    ...options,
  });
  return runs;
}

/** Lets the run of a key end, and what follows from it happen. */
async function end(key: string, result: Result | Error = {}): Promise<void> {
  const run = running.get(key);
  if (!run) throw new Error(`Nothing runs for ${key}`);
  if (result instanceof Error) run.reject(result);
  else run.resolve(result);
  await nextTurn();
}

describe("The work of a key", () => {
  it("is done at once when it is woken, for several keys side by side", () => {
    const { wake } = start();
    wake("a");
    wake("b");
    expect(begun).toEqual(["a", "b"]);
  });

  it("waits for its turn when as many run as may, in the order in which they were woken", async () => {
    const { wake } = start();
    for (const key of ["a", "b", "c", "d"]) wake(key);
    expect(begun).toEqual(["a", "b"]);
    await end("b");
    expect(begun).toEqual(["a", "b", "c"]);
    await end("a");
    expect(begun).toEqual(["a", "b", "c", "d"]);
  });

  it("is done once, however often it is woken before it begins", async () => {
    const { wake } = start({ atOnce: 1 });
    wake("a");
    for (let i = 0; i < 3; i += 1) wake("b");
    await end("a");
    await end("b");
    expect(begun).toEqual(["a", "b"]);
  });

  it("is done once more, when it is woken while it runs", async () => {
    const { wake } = start();
    wake("a");
    for (let i = 0; i < 3; i += 1) wake("a");
    expect(begun).toEqual(["a"]);
    await end("a");
    expect(begun).toEqual(["a", "a"]);
    await end("a");
    expect(begun).toEqual(["a", "a"]);
    wake("a");
    expect(begun).toEqual(["a", "a", "a"]);
  });

  it("goes on while there is more, behind those that wait", async () => {
    const { wake } = start({ atOnce: 1 });
    for (const key of ["a", "b", "c"]) wake(key);
    await end("a", { hasMore: true });
    await end("b", { hasMore: true });
    await end("c");
    await end("a");
    await end("b");
    expect(begun).toEqual(["a", "b", "c", "a", "b"]);
  });

  it("goes on once, when there is more and it was woken too", async () => {
    const { wake } = start();
    wake("a");
    wake("a");
    await end("a", { hasMore: true, restMs: LONG_MS });
    await end("a");
    expect(begun).toEqual(["a", "a"]);
  });

  it("rests before it is done again, without a place of the others", async () => {
    const { wake } = start({ atOnce: 1 });
    wake("a");
    wake("a");
    await end("a", { restMs: 1000 });
    wake("a");
    wake("b");
    await end("b");
    expect(begun).toEqual(["a", "b"]);
    await until("the rest is over", () => begun.length > 2);
    expect(begun).toEqual(["a", "b", "a"]);
  });

  it("is not done after a rest in which nothing has woken it", async () => {
    const { wake } = start();
    wake("a");
    await end("a", { restMs: 1 });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(begun).toEqual(["a"]);
    wake("a");
    expect(begun).toEqual(["a", "a"]);
  });

  it("that fails is told, holds up no other, and is done when it is woken again", async () => {
    const { wake } = start({ atOnce: 1 });
    wake("a");
    wake("b");
    await end("a", new Error("away"));
    expect([failures, begun]).toEqual([["away"], ["a", "b"]]);
    await end("b");
    wake("a");
    expect(begun).toEqual(["a", "b", "a"]);
  });

  it("is done again at once, when it fails and was woken while it ran", async () => {
    const { wake } = start();
    wake("a");
    wake("a");
    await end("a", new Error("away"));
    expect(begun).toEqual(["a", "a"]);
  });
});

describe("A pause for the sake of others", () => {
  it("follows the run whose time it is told, and keeps its place", async () => {
    const took: number[] = [];
    const { wake } = start({
      atOnce: 1,
      pauseMs(tookMs) {
        took.push(tookMs);
        return took.length === 1 ? 1000 : 0;
      },
    });
    wake("a");
    wake("b");
    await new Promise((resolve) => setTimeout(resolve, 20));
    await end("a");
    expect(begun).toEqual(["a"]);
    expect(took[0]).toBeGreaterThan(10);
    await until("the pause is over", () => begun.length > 1);
    await end("b");
    wake("a");
    expect(begun).toEqual(["a", "b", "a"]);
  });

  it("holds back the work of the same key, also when there is more, and another place is free", async () => {
    const { wake } = start({ pauseMs: () => 50 });
    wake("a");
    wake("a");
    await end("a", { hasMore: true });
    wake("a");
    wake("b");
    expect(begun).toEqual(["a", "b"]);
    await until("the pause is over", () => begun.length > 2);
    expect(begun).toEqual(["a", "b", "a"]);
  });
});

describe("A stop", () => {
  it("waits for what runs, begins nothing that waits, and ends pauses and rests", async () => {
    const { wake, stop } = start({ atOnce: 1, pauseMs: () => LONG_MS });
    wake("a");
    wake("b");
    let isOver = false;
    const stopped = stop().then(() => {
      isOver = true;
    });
    await nextTurn();
    expect(isOver).toBe(false);
    await end("a", { hasMore: true, restMs: LONG_MS });
    await stopped;
    wake("c");
    await nextTurn();
    expect(begun).toEqual(["a"]);
  });

  it("tells of no failure of what runs", async () => {
    const { wake, stop } = start();
    wake("a");
    const stopped = stop();
    await end("a", new Error("stopped"));
    await stopped;
    expect(failures).toEqual([]);
  });
});
