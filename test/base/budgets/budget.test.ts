import { EventEmitter } from "node:events";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createBudget, type Reservations, reserveDuring, reserveUntilClosed } from "../../../base/budgets/budget.ts";
import { gaugesText } from "../../../base/budgets/gauges.ts";
import { unavailable } from "../../../base/contract/errors.ts";

const REFUSAL = unavailable("Nothing is left.");
const made = (what: string) => createBudget({ what, max: 10, ofOneMax: 6, refusal: REFUSAL });
const held = (what: string) => Number(new RegExp(`_held\\{what="${what}"\\} (\\d+)`).exec(gaugesText())?.[1]);

/** A stream that closes once. */
class Stream extends EventEmitter {
  closed = false;
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.emit("close");
  }
}

describe("Budgets", () => {
  it("give a tenant a share, all of them no more than there is, and those who are not known yet the rest", async () => {
    const budget = made("shares");
    await reserveDuring(async (holdings) => {
      holdings.take(budget, "one", 6);
      expect(() => holdings.take(budget, "one")).toThrow(REFUSAL);
      expect([budget.isFull("one"), budget.isFull("other")]).toEqual([true, false]);
      holdings.take(budget, "", 4);
      expect(() => holdings.take(budget, "other")).toThrow(REFUSAL);
      expect(held("shares")).toBe(10);
    });
    expect(held("shares")).toBe(0);
  });

  it("are given back when the work throws before its first wait", async () => {
    const budget = made("thrown");
    const work = (holdings: Reservations) => {
      holdings.take(budget, "one", 3);
      throw new Error("at once");
    };
    await expect(reserveDuring(work)).rejects.toThrow("at once");
    expect(held("thrown")).toBe(0);
  });

  it("are given back while other work lasts, and taken again after it, or refused when they are gone by then", async () => {
    const budget = made("without");
    await reserveDuring(async (holdings) => {
      holdings.take(budget, "one", 4);
      const seen = await holdings.without(budget, async () => held("without"));
      expect([seen, held("without")]).toEqual([0, 4]);
      const other = reserveDuring(async (others) => {
        await holdings.without(budget, async () => others.take(budget, "other", 6));
        await expect(holdings.without(budget, async () => others.take(budget, "third", 4))).rejects.toThrow(REFUSAL);
      });
      await other;
    });
    expect(held("without")).toBe(0);
  });

  it("are held for a stream with one listener, however much is held, and not at all for one that has closed", () => {
    const budget = made("streams");
    const [socket, ...answers] = Array.from({ length: 7 }, () => new Stream());
    if (!socket) throw new Error("There is no socket");
    for (const answer of answers.slice(0, 5)) reserveUntilClosed([answer, socket], budget, "one", 1);
    expect(socket.listenerCount("close")).toBe(1);
    answers[0]?.close();
    expect(held("streams")).toBe(4);
    // What waits behind another answer on a socket does not learn that it has closed.
    socket.close();
    expect(held("streams")).toBe(0);
    reserveUntilClosed([answers[5] as Stream, socket], budget, "one", 1);
    expect(held("streams")).toBe(0);
  });

  it("are whole again at rest, whatever is taken, ended, thrown and closed in whatever order", async () => {
    const step = fc.tuple(fc.constantFrom("work", "end", "fail", "take", "send", "close"), fc.nat({ max: 7 }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const scene = openScene();
        for (const [what, amount] of steps) {
          scene[what](amount);
          expect(held("property")).toBeLessThanOrEqual(10);
          await Promise.resolve();
        }
        await scene.rest();
        expect(held("property")).toBe(0);
      }),
      { numRuns: 200 },
    );
  });
});

const budgetOfProperty = made("property");

function openScene() {
  const works: { holdings: Reservations; over: ReturnType<typeof Promise.withResolvers<void>> }[] = [];
  const streams: Stream[] = [];
  const ended: Promise<unknown>[] = [];
  const ifThereIsRoom = (take: () => void) => {
    try {
      take();
    } catch (error) {
      expect(error).toBeInstanceOf(Error);
    }
  };
  return {
    work(amount: number) {
      const over = Promise.withResolvers<void>();
      // When the work has thrown by then, nobody waits for it.
      over.promise.catch(() => undefined);
      const work = (holdings: Reservations) => {
        works.push({ holdings, over });
        holdings.take(budgetOfProperty, `tenant ${amount % 2}`, amount);
        return over.promise;
      };
      ended.push(reserveDuring(work).catch(() => undefined));
    },
    end: (at: number) => works[at]?.over.resolve(),
    fail: (at: number) => works[at]?.over.reject(new Error("failed")),
    take: (at: number) => ifThereIsRoom(() => works[at]?.holdings.take(budgetOfProperty, "one", at)),
    send(amount: number) {
      const stream = new Stream();
      streams.push(stream);
      ifThereIsRoom(() => reserveUntilClosed([stream, streams[0] ?? stream], budgetOfProperty, "one", amount));
    },
    close: (at: number) => streams[at]?.close(),
    async rest() {
      for (const { over } of works) over.resolve();
      for (const stream of streams) stream.close();
      await Promise.all(ended);
    },
  };
}
