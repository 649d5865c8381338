import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { JOINS, nfc } from "../../../base/values/nfc.ts";
import { everyCharacter } from "../../support/characters.ts";

const JOINING = new RegExp(`^[${JOINS}]$`, "u");

// Characters that decompose, compose, move, stand in the way, or do none of it: of all scripts where that is different.
const MARKS =
  "\u0300\u0301\u0302\u0308\u0316\u0323\u0327\u0328\u0334\u0338\u0344\u0345\u035c\u05b0\u064b\u0670\u093c\u094d";
const MORE_MARKS = "\u0f71\u0f72\u0f73\u0f74\u0f75\u0f80\u0f81\u3099\u302a\u20dd\u09be\u0bbe\u0dcf\u0dca\u1b35\u102e";
const OUTSIDE_BMP =
  "\u{1d165}\u{1d16d}\u{1d160}\u{1611e}\u{1611f}\u{16129}\u{16121}\u{16126}\u{113c2}\u{113b8}\u{113c5}\u{16d67}\u{16d68}\u{16d69}\u{16d63}";
const OTHERS =
  "aAeEiou \u00e9\u1eb5\u01d5\u0958\u0915\u212b\u2126\uf900\u1100\u1161\u11a8\uac00\uac01\u09c7\u0dd9\u{2f800}\u{1d15e}";
const character = fc.constantFrom(...MARKS, ...MORE_MARKS, ...OUTSIDE_BMP, ...OTHERS);
const mark = fc.constantFrom(...MARKS, ...MORE_MARKS);

const longRow = fc
  .array(fc.oneof({ weight: 9, arbitrary: mark }, { weight: 1, arbitrary: character }), {
    minLength: 100,
    maxLength: 400,
  })
  .map((marks) => marks.join(""));
const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.array(character, { maxLength: 300 }).map((characters) => characters.join("")),
  fc.tuple(character, longRow, character, longRow, character).map((parts) => parts.join("")),
  fc
    .tuple(character, fc.array(character, { minLength: 1, maxLength: 4 }))
    .map(([first, some]) => first + some.join("").repeat(150)),
);

describe("nfc", () => {
  it("is Normalization Form C of every text, with rows of marks of any length", () => {
    fc.assert(
      fc.property(texts, (text) => expect(nfc(text)).toBe(text.normalize("NFC"))),
      { numRuns: 500 },
    );
  });

  it("is it for every character within a long row of marks", () => {
    const all = [...everyCharacter()].filter((one) => JOINING.test(one) || one.normalize("NFD") !== one);
    // Hangul has 11,172 syllables that are made alike.
    for (const one of all.filter((one) => one < "\uac00" || one > "\ud7a3")) {
      const text = `a${"\u0316\u0301".repeat(50)}${one}${"\u0301\u0316".repeat(50)}${one}\u0308`;
      if (nfc(text) !== text.normalize("NFC")) expect([one, nfc(text)]).toEqual([one, text.normalize("NFC")]);
    }
  });

  it("is it for a row of all marks that there are, in any order", () => {
    const all = [...everyCharacter()].filter((one) => JOINING.test(one));
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: 500 }), (row) => {
        const text = `e${row.join("")}`;
        expect(nfc(text) === text.normalize("NFC")).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it("cuts texts only before characters that join nothing before them, in the Unicode of this runtime", () => {
    const seconds = new Set<string>();
    const firsts = new Map<string, string>();
    for (const one of everyCharacter()) {
      const [first = "", ...more] = one.normalize("NFD");
      if (more.length > 0) seconds.add(String(more.at(-1)));
      if (!JOINING.test(one)) firsts.set(one, first);
    }
    const moves = (one: string) => /^\p{M}$/u.test(one);
    const wrong = [...firsts].filter(([, first]) => seconds.has(first) || moves(first)).map(([one]) => one);
    expect(wrong).toEqual([]);
  });

  it("ends soon for rows that the runtime's own normalize would work on for many minutes", () => {
    const begun = performance.now();
    const count = 200_000;
    const sorted = `á${"\u0316".repeat(count)}${"\u0301".repeat(count - 1)}`;
    // Not toBe, which would print them.
    expect(nfc(`a${"\u0316\u0301".repeat(count)}`) === sorted).toBe(true);
    expect(nfc("\u{1611e}\u{1611e}\u{1611f}".repeat(count)) === "\u{16126}".repeat(count)).toBe(true);
    for (const row of [
      "\u0f71\u0f72\u0f74\u0f80",
      "\u0f73",
      "\u{16126}",
      "\u{113c5}",
      "\u{16d67}",
      "\u{1d165}\u{1d16d}",
    ])
      expect(nfc(row.repeat(count)).length).toBeGreaterThanOrEqual(count);
    expect(performance.now() - begun).toBeLessThan(60_000);
  });
});
