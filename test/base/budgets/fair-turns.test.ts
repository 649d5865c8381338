import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import fc from "fast-check";
import { createActiveTenants, createFairTurns } from "../../../base/budgets/fair-turns.ts";
import { gaugesText } from "../../../base/budgets/gauges.ts";

// The clock is ours, so that a wait is as long as it says.
beforeEach(() => void jest.useFakeTimers({ now: 0 }));
afterEach(() => void jest.useRealTimers());

const BOUNDS = {
  what: "test_turns",
  atOnce: 2,
  waitingMax: 4,
  waitMs: 1000,
  jamMs: 500,
  shareMs: 1_000_000,
  quickMs: 100,
  partOfOne: 1,
};
const BUSY = { code: 503 };

/** Work that ends when it is told to, and what was begun, in its order. */
async function scene(bounds: Partial<typeof BOUNDS> = {}) {
  const turns = createFairTurns({ ...BOUNDS, presence: createActiveTenants(), ...bounds });
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  /** Starts so many of a tenant, and gives what becomes of each. */
  async function start(count: number, tenant = "one", about?: string): Promise<Promise<unknown>[]> {
    const work = () => {
      begun.push(tenant);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    const started = Array.from({ length: count }, () =>
      turns.take({ tenant, serializeBy: about }, work).then(...OUTCOMES),
    );
    await pass(0);
    return started;
  }
  /** Ends the work that was begun as the so-manieth. */
  async function end(i: number): Promise<void> {
    ends[i]?.();
    await pass(0);
  }
  /** A tenant whose work is known to be quick may have all places. */
  async function quick(tenant = "one"): Promise<void> {
    void (await start(1, tenant));
    await end(begun.length - 1);
    begun.length = 0;
    ends.length = 0;
  }
  await quick();
  return { turns, ends, begun, start, end, quick };
}

const OUTCOMES = [() => "done", (error: unknown) => error] as const;
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe("turns (docs/guides/under-load.md)", () => {
  it("run a few at once, and the others in their order", async () => {
    const { ends, start } = await scene();
    const [first, , third] = await start(4);
    expect(ends).toHaveLength(2);
    ends[0]?.();
    expect(await first).toBe("done");
    expect(ends).toHaveLength(3);
    ends[2]?.();
    expect(await third).toBe("done");
  });

  it("refuse at once who finds the queue full", async () => {
    const [, , , , , , seventh] = await (await scene()).start(7);
    expect(await seventh).toMatchObject(BUSY);
  });

  it("refuse whose turn does not come in time, and give the turn to the next", async () => {
    const { end, start } = await scene();
    const [, , third] = await start(3);
    await pass(600);
    const [fourth] = await start(1);
    await pass(430);
    expect(await third).toMatchObject(BUSY);
    for (let i = 0; i < 3; i++) await end(i);
    expect(await fourth).toBe("done");
  });

  it("refuse at once who comes while many stand still, but not behind a few", async () => {
    const { end, start } = await scene();
    void (await start(3));
    await pass(600);
    const [fourth] = await start(1);
    const [fifth] = await start(1);
    expect(await fifth).toMatchObject(BUSY);
    for (let i = 0; i < 4; i++) await end(i);
    expect(await fourth).toBe("done");
  });

  it("go to one workspace after the other, however many wait of one", async () => {
    const { begun, start, end } = await scene({ waitingMax: 100 });
    void (await start(30, "one"));
    void (await start(2, "other"));
    void (await start(1, "third"));
    for (let i = 0; i < 5; i += 1) await end(i);
    expect(begun).toEqual(["one", "one", "one", "other", "third", "one", "other"]);
  });

  it("refuse the one whose own line is full, and nobody else", async () => {
    const { start, end } = await scene();
    const flood = await start(10);
    const [other] = await start(1, "other");
    expect(await flood[9]).toMatchObject(BUSY);
    for (let i = 0; i < 4; i += 1) await end(i);
    expect(await other).toBe("done");
  });

  it("keep the last place for others from whose work is long, or was never seen", async () => {
    const { begun, start, end } = await scene({ waitMs: 100_000, jamMs: 100_000 });
    void (await start(2, "unknown"));
    expect(begun).toEqual(["unknown"]);
    void (await start(1, "other"));
    expect(begun).toEqual(["unknown", "other"]);
    await pass(2000);
    await end(0);
    await end(1);
    // Both have taken two seconds: each of them may have the other place only when nobody has one.
    expect(begun).toEqual(["unknown", "other", "unknown"]);
    void (await start(1, "other"));
    expect(begun).toHaveLength(3);
    void (await start(1, "one"));
    expect(begun).toEqual(["unknown", "other", "unknown", "one"]);
  });

  it("leave places for others however quick somebody's work was until now", async () => {
    const { begun, start, end, quick } = await scene({ atOnce: 4, partOfOne: 0.5, waitMs: 100_000, jamMs: 100_000 });
    await quick("other");
    void (await start(4, "one"));
    expect(begun).toEqual(["one", "one"]);
    void (await start(1, "other"));
    expect(begun).toEqual(["one", "one", "other"]);
    // Nobody else has asked for anything for a while, so the places would be kept for nobody.
    await pass(1001);
    await end(2);
    expect(begun).toEqual(["one", "one", "other", "one"]);
  });

  it("begin nothing more for who has work that lasts, while others are here", async () => {
    const { begun, start } = await scene({ atOnce: 3, quickMs: 100 });
    void (await start(1, "one"));
    await pass(301);
    void (await start(1, "other"));
    void (await start(1, "one"));
    expect(begun).toEqual(["one", "other"]);
  });

  it("let a workspace whose work is long rest while others are here, and not when it is alone", async () => {
    const { begun, start, end } = await scene({ atOnce: 3, shareMs: 500, waitMs: 100_000, jamMs: 100_000 });
    void (await start(1, "slow"));
    await pass(1000);
    await end(0);
    void (await start(1, "other"));
    void (await start(1, "slow"));
    expect(begun).toEqual(["slow", "other"]);
    await pass(1100);
    expect(begun).toEqual(["slow", "other", "slow"]);
  });

  it("tell whether somebody waits whose work is quick, and not of who waits for themselves", async () => {
    const { turns, start, end } = await scene({ waitingMax: 100, waitMs: 100_000, jamMs: 100_000 });
    void (await start(2));
    expect(turns.hasWaiting()).toBe(false);
    void (await start(1));
    expect(turns.hasWaiting()).toBe(true);
    await end(0);
    expect(turns.hasWaiting()).toBe(false);
  });

  it("do not count who waits for work about the same thing, nor who rests", async () => {
    const { turns, start, end } = await scene({ waitingMax: 100, waitMs: 100_000, jamMs: 100_000 });
    void (await start(2, "one", "record"));
    expect(turns.hasWaiting()).toBe(false);
    await pass(1000);
    await end(0);
    await end(1);
    void (await start(3, "other"));
    void (await start(2));
    expect(turns.hasWaiting()).toBe(false);
  });

  it("do not begin what waits for a client that has gone", async () => {
    const turns = createFairTurns({ ...BOUNDS, presence: createActiveTenants(), atOnce: 1, waitMs: 100_000 });
    let isGone = false;
    void turns.take({ tenant: "one" }, () => new Promise(() => undefined));
    const waiting = turns.take({ tenant: "one", isGone: () => isGone }, async () => "begun").catch((error) => error);
    isGone = true;
    await pass(50);
    expect(await waiting).toMatchObject(BUSY);
  });

  it("let one work about the same thing run, while others pass those that wait for it", async () => {
    const { begun, start, end } = await scene({ atOnce: 3, waitingMax: 100 });
    void (await start(3, "one", "record"));
    expect(begun).toHaveLength(1);
    void (await start(1, "one", "another record"));
    void (await start(1, "other", "record"));
    expect(begun).toEqual(["one", "other"]);
    await end(0);
    expect(begun).toHaveLength(4);
  });

  /** Work that comes, ends and fails as the steps tell. */
  function driven(atOnce: number) {
    const turns = createFairTurns({ ...BOUNDS, presence: createActiveTenants(), what: "test_property", atOnce });
    const running: ReturnType<typeof Promise.withResolvers<void>>[] = [];
    const settled: Promise<unknown>[] = [];
    let most = 0;
    const work = () => {
      const one = Promise.withResolvers<void>();
      running.push(one);
      most = Math.max(most, running.length);
      return one.promise;
    };
    const oneOf = (at: number) => running.splice(at % Math.max(1, running.length), 1)[0];
    return {
      start: (at: number) => {
        const asking = { tenant: `tenant ${at % 3}`, about: at % 2 === 0 ? undefined : `thing ${at % 5}` };
        settled.push(turns.take(asking, work).catch(() => undefined));
      },
      end: (at: number) => oneOf(at)?.resolve(),
      fail: (at: number) => oneOf(at)?.reject(new Error("failed")),
      pass: (at: number) => pass(at),
      most: () => most,
      turns,
      async rest() {
        while (running.length > 0) {
          for (const { resolve } of running.splice(0)) resolve();
          await pass(0);
        }
        await Promise.all(settled);
      },
    };
  }

  it("hold nothing at rest, in whatever order work comes, ends, fails and is refused", async () => {
    const step = fc.tuple(fc.constantFrom("start", "end", "fail", "pass"), fc.nat({ max: 600 }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 50 }), fc.integer({ min: 1, max: 4 }), async (steps, atOnce) => {
        const turns = driven(atOnce);
        for (const [what, at] of steps) {
          await turns[what](at);
          await pass(0);
        }
        await turns.rest();
        expect(turns.most()).toBeLessThanOrEqual(atOnce);
        const all = Array.from({ length: atOnce }, (_, i) => turns.turns.take({ tenant: `new ${i}` }, async () => i));
        expect(await Promise.all(all)).toHaveLength(atOnce);
        expect(gaugesText()).toContain('contact_workspace_held{what="test_property"} 0\n');
        expect(gaugesText()).toContain('contact_workspace_waiting{what="test_property"} 0\n');
      }),
      { numRuns: 100 },
    );
  });
});
