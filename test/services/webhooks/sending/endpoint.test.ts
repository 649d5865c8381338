import { describe, expect, it } from "@jest/globals";
import { newUuid } from "../../../../base/values/ids.ts";
import { until } from "../../../../lab/harness/until.ts";
import { createAttemptRate } from "../../../../services/webhooks/sending/attempt-rate.ts";
import { createAttemptSlots } from "../../../../services/webhooks/sending/attempt-slots.ts";
import type { Due } from "../../../../services/webhooks/sending/deliveries.queries.ts";
import { nextAfter } from "../../../../services/webhooks/sending/delivering.ts";
import { createHealthNotes } from "../../../../services/webhooks/sending/endpoint.ts";
import { createPendingDeliveries } from "../../../../services/webhooks/sending/pending-deliveries.ts";

const due = (recordId = newUuid()): Due => ({ uuid: newUuid(), recordId, period: 0 });

describe("The line of an endpoint (docs/guides/webhook-deliveries.md#order)", () => {
  it("gives one delivery of a record at a time, in their order, and others beside it", () => {
    const line = createPendingDeliveries();
    const record = newUuid();
    const [one, two, other] = [due(record), due(record), due()];
    line.asked()([one, two, other]);
    expect([line.next(), line.next(), line.next()]).toEqual([one, other, undefined]);
    expect(line.hasNext()).toBe(false);
    line.ended(other);
    expect(line.next()).toBeUndefined();
    line.ended(one);
    expect(line.next()).toBe(two);
  });

  it("takes nothing from a page again that was asked for before the result was written", () => {
    const line = createPendingDeliveries();
    const one = due();
    line.asked()([one]);
    line.next();
    line.asked()([one]);
    expect(line.hasNext()).toBe(false);
    const earlier = line.asked();
    line.ended(one);
    line.written(one);
    earlier([one]);
    expect([line.hasNext(), line.known()]).toEqual([false, 1]);
    // A page that is asked for now shows it only when it is due again.
    line.asked()([one]);
    expect(line.next()).toBe(one);
  });

  it("gives one that was put back before the others of its record", () => {
    const line = createPendingDeliveries();
    const record = newUuid();
    const [one, two] = [due(record), due(record)];
    line.asked()([one, two]);
    line.next();
    line.putBack(one);
    line.asked()([one, two]);
    expect([line.next(), line.next(), line.known()]).toEqual([one, undefined, 2]);
  });

  it("forgets what has not begun when it is cleared", () => {
    const line = createPendingDeliveries();
    line.asked()([due(), due()]);
    line.next();
    line.clear();
    expect([line.waiting(), line.known(), line.hasNext()]).toEqual([0, 1, false]);
  });
});

describe("The pace of an endpoint", () => {
  it("is 250 in a second, and two in a second, one at a time, after twenty failures until a success", () => {
    const pace = createAttemptRate(8, false);
    let now = 10_000;
    const begun = (ms: number) => {
      let count = 0;
      for (const end = now + ms; now < end; now += 1) for (; pace.waitMs(now) === 0; count += 1) pace.begun(now);
      return count;
    };
    expect(begun(1600)).toBe(408);
    expect(begun(1600)).toBe(400);
    for (let i = 0; i < 3; i += 1) pace.ended(true, 1);
    for (let i = 0; i < 19; i += 1) pace.ended(false, 1);
    expect([pace.isFailing(), pace.atOnce(), begun(1600)]).toEqual([true, 8, 400]);
    pace.ended(false, 1);
    expect([pace.isFailing(), pace.atOnce()]).toEqual([true, 1]);
    expect(begun(10_000)).toBe(20);
    pace.ended(true, 1);
    expect([pace.isFailing(), pace.atOnce()]).toEqual([false, 8]);
    expect(begun(1000)).toBeGreaterThan(100);
  });

  it("lets those of a long backlog begin eight at a time, so that one statement reads and writes for all of them", () => {
    const pace = createAttemptRate(8, false);
    const begun: number[] = [];
    for (let now = 10_000; now < 10_100; now += 1)
      for (; pace.waitMs(now) === 0; pace.begun(now)) begun.push(now - 10_000);
    expect(begun).toEqual([0, 16, 48, 80].flatMap((at) => Array.from({ length: 8 }, () => at)));
  });

  it("stays the same when the process is late each time", () => {
    const pace = createAttemptRate(8, false);
    let count = 0;
    for (let now = 10_000; now < 12_000; now += 13) for (; pace.waitMs(now) === 0; count += 1) pace.begun(now);
    expect(count).toBe(504);
  });

  it("begins with one at once, and doubles with each success up to eight", () => {
    const pace = createAttemptRate(8, false);
    const atOnce = [false, true, true, false, true, true].map((hasSucceeded) => {
      pace.ended(hasSucceeded, 1);
      return pace.atOnce();
    });
    expect(atOnce).toEqual([1, 2, 4, 4, 8, 8]);
  });

  it("counts an endpoint that is slow like one that fails, until it is fast again", () => {
    const pace = createAttemptRate(8, false);
    const mayHang = [100, 2500, 2500, 100].map((ms) => {
      pace.ended(true, ms);
      return pace.mayHang();
    });
    expect([mayHang, pace.isFailing()]).toEqual([[false, true, true, false], false]);
    pace.ended(false, 1);
    expect(pace.mayHang()).toBe(true);
  });
});

describe("Places for attempts", () => {
  /** An asker whose attempts last until the test ends them. */
  const asker = (name: string, begun: string[], count: number, mayHang = false) => {
    const ends: (() => void)[] = [];
    let left = count;
    return {
      ends,
      mayHang: () => mayHang,
      begin: () => {
        if (left === 0) return null;
        left -= 1;
        begun.push(name);
        return new Promise<void>((resolve) => {
          ends.push(resolve);
        });
      },
    };
  };

  it("are given in turns, so that one with many deliveries waits as long as one with few", async () => {
    const begun: string[] = [];
    const places = createAttemptSlots(3, 3, { perTurn: 4, hasWaiting: () => false });
    const [many, few] = [asker("many", begun, 100), asker("few", begun, 2)];
    places.ask(many);
    places.ask(few);
    expect(begun).toEqual(["many", "many", "many"]);
    for (const end of many.ends) end();
    await until("as many have begun again", () => begun.length === 6);
    expect(begun.slice(3)).toEqual(["many", "few", "many"]);
  });

  it("are only in part for those that may hang", () => {
    const begun: string[] = [];
    const places = createAttemptSlots(4, 2, { perTurn: 4, hasWaiting: () => false });
    places.ask(asker("hanging", begun, 10, true));
    expect(begun).toEqual(["hanging", "hanging"]);
    places.ask(asker("healthy", begun, 10));
    expect(begun.slice(2)).toEqual(["healthy", "healthy"]);
  });

  it("are given one by one, milliseconds apart, while requests wait for the database", async () => {
    const begunAt: number[] = [];
    const begin = () => {
      begunAt.push(performance.now());
      return new Promise<void>(() => undefined);
    };
    createAttemptSlots(100, 1, { perTurn: 100, hasWaiting: () => true }).ask({ mayHang: () => false, begin });
    const first = begunAt.length;
    await until("five more have begun", () => begunAt.length >= first + 5);
    const apart = begunAt.slice(first + 1).map((at, i) => at - (begunAt[first + i] ?? 0));
    for (const ms of apart) expect(ms).toBeGreaterThan(2);
  });
});

describe("What is noted of attempts", () => {
  it("is whether one has succeeded, and whether one has failed since", () => {
    const notes = createHealthNotes();
    expect(notes.take()).toBeNull();
    notes.note(false);
    notes.note(true);
    expect(notes.take()).toEqual({ hasSucceeded: true, hasFailed: false });
    notes.note(true);
    notes.note(false);
    expect([notes.hasSucceeded(), notes.take()]).toEqual([true, { hasSucceeded: true, hasFailed: true }]);
  });

  it("keeps what could not be written, and what came later counts more", () => {
    const notes = createHealthNotes();
    notes.giveBack({ hasSucceeded: true, hasFailed: false });
    notes.note(false);
    const taken = notes.take();
    expect(taken).toEqual({ hasSucceeded: true, hasFailed: true });
    notes.note(true);
    notes.giveBack({ hasSucceeded: false, hasFailed: true });
    expect(notes.take()).toEqual({ hasSucceeded: true, hasFailed: false });
    notes.note(false);
    notes.giveBack({ hasSucceeded: true, hasFailed: false });
    expect(notes.take()).toEqual({ hasSucceeded: true, hasFailed: true });
  });
});

describe("The next attempt (docs/guides/webhook-deliveries.md#retries)", () => {
  const next = (responseStatus: number | null, attempts: number, random = 0.5) =>
    nextAfter({ outcome: { responseStatus, retryAfter: null }, attempts, nowMs: 0, random }, [5, 300]);

  it("waits a tenth less or more", () => {
    expect([next(500, 0, 0).waitMs, next(500, 0).waitMs, next(null, 1, 1).waitMs]).toEqual([4500, 5000, 330_000]);
  });

  it("is none after a success, after the last wait, and after 410", () => {
    for (const status of [200, 201, 204, 299]) expect(next(status, 0)).toEqual({ status: "succeeded", waitMs: null });
    for (const status of [100, 199, 300, 404, 503, null]) expect(next(status, 0)).toMatchObject({ status: "pending" });
    expect([next(500, 2), next(410, 0)]).toEqual([
      { status: "failed", waitMs: null },
      { status: "failed", waitMs: null },
    ]);
  });
});
