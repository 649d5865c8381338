import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { isSlip } from "../../../base/values/slip.ts";

/** The rule as it is said: every text that one slip makes of another one. */
function isSlipByTrying(one: string, other: string): boolean {
  const [a, b] = [Array.from(one), Array.from(other)];
  const joined = b.join("\0");
  const made: string[][] = [];
  for (let i = 0; i < a.length; i += 1) {
    made.push(a.toSpliced(i, 1));
    const next = a[i + 1];
    if (next !== undefined) made.push(a.toSpliced(i, 2, next, a[i] ?? ""));
  }
  for (let i = 0; i <= a.length; i += 1)
    for (const letter of b) {
      made.push(a.toSpliced(i, 0, letter));
      if (i < a.length) made.push(a.toSpliced(i, 1, letter));
    }
  return one !== other && made.some((text) => text.join("\0") === joined);
}

// docs/guides/duplicates.md#names
describe("isSlip", () => {
  it("finds a letter more, fewer, other, or two neighbours swapped", () => {
    const slips = [
      ["meier", "meyer"],
      ["meier", "meir"],
      ["meier", "meierr"],
      ["meier", "miere"],
      ["meier", "emier"],
      ["", "a"],
      ["😀a", "a"],
      ["😀", "x"],
    ];
    expect(slips.map(([a = "", b = ""]) => isSlip(a, b))).toEqual([true, true, true, false, true, true, true, true]);
    expect([isSlip("meier", "meier"), isSlip("meier", "maier "), isSlip("abcd", "badc"), isSlip("", "")]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it("agrees with all slips there are, in both directions", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "😀"), maxLength: 7 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect([isSlip(a, b), isSlip(b, a)]).toEqual([isSlipByTrying(a, b), isSlipByTrying(a, b)]);
      }),
      { numRuns: 3000 },
    );
  });
});
