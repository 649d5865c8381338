import { isDeepStrictEqual } from "node:util";
import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { inPieces, joinPieces } from "../../../base/loop/json-pieces.ts";

/** Wide, so that one value becomes several pieces. */
const wide = (fill: unknown) => ({
  first: 1,
  records: Array.from({ length: 3000 }, (_, i) => ({ i, text: "x".repeat(100), fill })),
  more: { deep: { list: Array.from({ length: 40_000 }, (_, i) => i) } },
  last: null,
});

it("a value in pieces becomes the same value again, whatever stands where", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (fill) => {
      // JSON has one zero.
      expect(await joinPieces(inPieces(fill))).toEqual(JSON.parse(JSON.stringify(fill)));
    }),
  );
  for (const fill of [[], {}, [[]], { a: {} }, "\ud800#1e99", "é", null]) {
    const value = wide(fill);
    const pieces = inPieces(value);
    expect(pieces.length).toBeGreaterThan(5);
    expect(Math.max(...pieces.map(({ text }) => text.length))).toBeLessThan(300_000);
    expect(isDeepStrictEqual(await joinPieces(pieces), value)).toBe(true);
  }
});

it("a list in which large things stand between small ones keeps its order", async () => {
  const large = Array.from({ length: 20_000 }, (_, i) => `text ${i}`);
  const value = [0, large, 1, {}, { large, small: 1 }, [], [[large, [large]], 2], large];
  expect(isDeepStrictEqual(await joinPieces(inPieces(value)), value)).toBe(true);
});

it("members called __proto__ are members, in every piece", async () => {
  const many = (n: number) => Array.from({ length: n }, (_, i) => `"k${i}":"${"x".repeat(50)}"`).join();
  const value = JSON.parse(`{${many(9000)},"__proto__":{"a":1,${many(9000)},"__proto__":{"b":1}}}`);
  const joined = await joinPieces(inPieces(value));
  expect(JSON.stringify(joined)).toBe(JSON.stringify(value));
  expect(Object.getPrototypeOf(joined)).toBe(Object.prototype);
});
