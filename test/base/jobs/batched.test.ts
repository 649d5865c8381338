import { expect, it } from "@jest/globals";
import { batched } from "../../../base/jobs/batched.ts";

it("asks all questions of a turn with one call, and gives each its own answer", async () => {
  const calls: number[][] = [];
  const double = batched(async (asked: number[]) => {
    calls.push(asked);
    return asked.map((n) => n * 2);
  });
  expect(await Promise.all([1, 2, 3].map((n) => double(n)))).toEqual([2, 4, 6]);
  expect(await double(4)).toBe(8);
  expect(calls).toEqual([[1, 2, 3], [4]]);
  expect(await Promise.all(Array.from({ length: 250 }, (_, n) => double(n)))).toEqual(
    Array.from({ length: 250 }, (_, n) => n * 2),
  );
  expect(calls.slice(2).map(({ length }) => length)).toEqual([100, 100, 50]);
});

it("tells every one of them when the call fails, and asks again for the next", async () => {
  let fails = true;
  const ask = batched((asked: number[]) => (fails ? Promise.reject(new Error("away")) : Promise.resolve(asked)));
  const results = await Promise.allSettled([ask(1), ask(2)]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  fails = false;
  expect(await ask(3)).toBe(3);
});
