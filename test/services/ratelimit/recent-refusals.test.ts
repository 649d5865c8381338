import { afterEach, beforeEach, expect, it, jest } from "@jest/globals";
import type { Decision } from "../../../base/contract/rate-windows.ts";
import { recentRefusals } from "../../../services/ratelimit/recent-refusals.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** The first counted request leaves its window 1,000 ms after the decision, and there is room for one 100 ms later. */
const REFUSAL: Decision = { standings: [{ remaining: 0, resetMs: 1000 }], exceeded: "burst", retryAfterMs: 1100 };

/** A holder whose answers take 300 ms. */
function slowHolder(decision: Decision) {
  const holder = {
    asked: 0,
    async ask() {
      holder.asked += 1;
      await jest.advanceTimersByTimeAsync(300);
      return decision;
    },
  };
  return holder;
}

it("A refusal is over when the first counted request may have left its window, however often it was told", async () => {
  const refusedOr = recentRefusals();
  const holder = slowHolder(REFUSAL);
  expect(await refusedOr("user", holder.ask)).toEqual(REFUSAL);
  for (let ms = 400; ms < 1000; ms += 100) {
    jest.advanceTimersByTime(100);
    expect(await refusedOr("user", holder.ask)).toEqual({
      standings: [{ remaining: 0, resetMs: 1300 - ms }],
      exceeded: "burst",
      retryAfterMs: 1400 - ms,
    });
  }
  expect(holder.asked).toBe(1);
  jest.advanceTimersByTime(100);
  await refusedOr("user", holder.ask);
  expect(holder.asked).toBe(2);
});

it("A request that was admitted tells nothing of the next one", async () => {
  const refusedOr = recentRefusals();
  const holder = slowHolder({ standings: [{ remaining: 3, resetMs: 1000 }], exceeded: null, retryAfterMs: 0 });
  for (let i = 0; i < 3; i += 1) await refusedOr("user", holder.ask);
  expect(holder.asked).toBe(3);
});
