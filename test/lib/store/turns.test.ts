import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { createTurns } from "../../../lib/store/turns.ts";

// The clock is ours, so that a wait is as long as it says.
beforeEach(() => void jest.useFakeTimers({ now: 0 }));
afterEach(() => void jest.useRealTimers());

const BOUNDS = { atOnce: 2, waitingMax: 4, waitMs: 1000, jamMs: 500 };
const BUSY = { code: 503 };

/** Work that ends when it is told to, and what was begun. */
function scene() {
  const takeTurn = createTurns(BOUNDS);
  const ends: (() => void)[] = [];
  const work = () => takeTurn(() => new Promise<void>((resolve) => ends.push(resolve)));
  /** Starts so many, and gives what becomes of each. */
  async function start(count: number): Promise<Promise<unknown>[]> {
    const started = Array.from({ length: count }, () => work().then(...OUTCOMES));
    await pass(0);
    return started;
  }
  return { ends, start };
}

const OUTCOMES = [() => "done", (error: unknown) => error] as const;
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe("turns (docs/guides/limits.md#under-load)", () => {
  it("run a few at once, and the others in their order", async () => {
    const { ends, start } = scene();
    const [first, , third] = await start(4);
    expect(ends).toHaveLength(2);
    ends[0]?.();
    expect(await first).toBe("done");
    expect(ends).toHaveLength(3);
    ends[2]?.();
    expect(await third).toBe("done");
  });

  it("refuse at once who finds the queue full", async () => {
    const [, , , , , , seventh] = await scene().start(7);
    expect(await seventh).toMatchObject(BUSY);
  });

  it("refuse whose turn does not come in time, and give the turn to the next", async () => {
    const { ends, start } = scene();
    const [, , third] = await start(3);
    await pass(600);
    const [fourth] = await start(1);
    await pass(400);
    expect(await third).toMatchObject(BUSY);
    ends[0]?.();
    await pass(0);
    ends[2]?.();
    expect(await fourth).toBe("done");
  });

  it("refuse at once who comes while many stand still, but not behind a few", async () => {
    const { ends, start } = scene();
    void (await start(3));
    await pass(600);
    const [fourth] = await start(1);
    const [fifth] = await start(1);
    expect(await fifth).toMatchObject(BUSY);
    ends[0]?.();
    await pass(0);
    ends[1]?.();
    await pass(0);
    ends[3]?.();
    expect(await fourth).toBe("done");
  });
});
