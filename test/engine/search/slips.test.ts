import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { isSlip } from "../../../base/values/slip.ts";
import { type AskedWord, askedOf, closenessOf, EXACT, PREFIX, SLIP } from "../../../engine/search/asked.ts";
import { halfOf, pairsLeft, variantsOf } from "../../../engine/search/slips.ts";

function word(text: string): AskedWord {
  const [asked] = askedOf(text).words;
  if (!asked) throw new Error(`No word in ${text}`);
  return asked;
}

const closeness = (asked: string, found: string) => closenessOf(word(asked), found);

/** The words with one slip, made by hand. */
function slipsOf(text: string, letters: string): Set<string> {
  const made = new Set<string>();
  const all = Array.from(text);
  for (let at = 0; at <= all.length; at++) {
    for (const letter of letters) {
      made.add([...all.slice(0, at), letter, ...all.slice(at)].join(""));
      if (at < all.length) made.add(all.with(at, letter).join(""));
    }
    made.add(all.toSpliced(at, 1).join(""));
    const [one, other] = all.slice(at, at + 2);
    if (one !== undefined && other !== undefined)
      made.add(
        all
          .with(at, other)
          .with(at + 1, one)
          .join(""),
      );
  }
  made.delete(text);
  return made;
}

describe("A slip (docs/guides/search.md#slips)", () => {
  it.each([
    ["lovelace", "lovelac"],
    ["lovelace", "ovelace"],
    ["lovelace", "llovelace"],
    ["lovelace", "lovelacex"],
    ["lovelace", "lovilace"],
    ["lovelace", "Lovelace".replace("L", "b")],
    ["lovelace", "lovelaec"],
    ["lovelace", "olvelace"],
  ])("makes %s of %s", (one, other) => {
    expect(isSlip(one, other)).toBe(true);
    expect(isSlip(other, one)).toBe(true);
  });

  it.each([
    ["lovelace", "lovelace"],
    ["lovelace", "lovela"],
    ["lovelace", "lovelacexy"],
    ["lovelace", "lvoealce"],
    ["lovelace", "levolace"],
    ["abcd", "bcda"],
  ])("does not make %s of %s", (one, other) => {
    expect(isSlip(one, other)).toBe(false);
  });

  it("is one letter more, fewer, other, or two neighbours swapped: all words of a small alphabet", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(letters, letters, (one, other) => {
        expect(isSlip(one, other)).toBe(slipsOf(one, "abc").has(other));
      }),
      { numRuns: 2000 },
    );
  });

  it("counts characters, not their units", () => {
    expect(isSlip("𝔵𝔶𝔷𝔴", "𝔵𝔶𝔷")).toBe(true);
  });

  it("is looked for from four letters of the query on, whatever the length of the word", () => {
    expect([closeness("adam", "ada"), closeness("ada", "adda"), closeness("ada", "adb")]).toEqual([SLIP, null, null]);
    expect([closeness("adda", "ada"), closeness("jhon", "john"), closeness("jhon", "johnson")]).toEqual([
      SLIP,
      SLIP,
      null,
    ]);
  });

  it("comes behind the word itself and its beginning", () => {
    expect([closeness("anna", "anna"), closeness("anna", "annabel"), closeness("anna", "annas")]).toEqual([
      EXACT,
      PREFIX,
      PREFIX,
    ]);
    expect([closeness("a", "ada"), closeness("a", "bab")]).toEqual([PREFIX, null]);
  });

  it("in a script without blanks may stand anywhere in a run", () => {
    expect([closeness("北京", "在北京大学"), closeness("北", "在北京"), closeness("京北", "在北京")]).toEqual([
      EXACT,
      PREFIX,
      null,
    ]);
    expect([
      closeness("北京大学", "我在北京天学读"),
      closeness("北京大学", "我在京北大学"),
      closeness("北京大学", "北天京学"),
    ]).toEqual([SLIP, SLIP, null]);
  });
});

describe("The words that may have been meant (docs/decisions/0025-search.md#slips)", () => {
  it.each([
    ["lovelace", "abcdefghijklmnopqrstuvwxyz"],
    ["aaaa", "abcdefghijklmnopqrstuvwxyz"],
    ["2024", "0123456789"],
    ["রহমান", "অআইকখগঘচছজঝটঠডঢতথদধনপফবভমযরলশষসহািীুূেো"],
    ["முருகன்", "அஆஇகஙசஞடணதநபமயரலவழளறனாிீுூெேொ்"],
    ["иванов", "абвгдежзиклмнопрстуфхцчшщъыьэюя"],
    ["παπας", "αβγδεζηθικλμνξοπρστυφχψω"],
    ["محمود", "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"],
    ["r2d2", "abcdefghijklmnopqrstuvwxyz0123456789"],
  ])("of %s are all with one slip", (text, letters) => {
    const asked = word(text);
    const made = new Set(variantsOf(asked, 0, asked.characters.length + 1));
    const missing = [...slipsOf(asked.folded, letters)].filter((slip) => !made.has(slip));
    expect(missing).toEqual([]);
    expect([...made].filter((one) => !isSlip(asked.folded, one))).toEqual([]);
  });

  it("with a slip behind the first half begin with this half", () => {
    for (const text of ["abcdef", "lovelace", "abcdefghijklmnopqrstuvwxyz"]) {
      const asked = word(text);
      const half = halfOf(asked) ?? 0;
      const begun = asked.characters.slice(0, half).join("");
      const tried = new Set(variantsOf(asked, 0, half));
      const missed = variantsOf(asked, 0, text.length + 1).filter((one) => !tried.has(one) && !one.startsWith(begun));
      expect([text, missed]).toEqual([text, []]);
    }
  });

  it("in a script without blanks hold one of the sets of pairs", () => {
    const unit = fc.constantFrom("北", "京", "大", "学");
    fc.assert(
      fc.property(fc.string({ unit, minLength: 4, maxLength: 7 }), fc.string({ unit, maxLength: 8 }), (text, run) => {
        if (closeness(text, run) !== SLIP) return;
        const pairs = new Set(
          Array.from(run).flatMap((character, i, all) => (all[i + 1] ? [character + all[i + 1]] : [])),
        );
        const sets = pairsLeft(word(text));
        expect([text, run, sets.some((set) => set.every((pair) => pairs.has(pair)))]).toEqual([text, run, true]);
      }),
      { numRuns: 5000 },
    );
  });
});

describe("What is asked for", () => {
  it("is each word once", () => {
    expect(askedOf("Ada ÁDA, Lovelace").words.map(({ folded }) => folded)).toEqual(["ada", "lovelace"]);
    expect(askedOf(" – 😀").words).toEqual([]);
  });

  it("is digits too, if it looks like a phone (docs/guides/search.md#phones)", () => {
    const digits = (text: string) => askedOf(text).digits;
    expect([digits("044 123"), digits("+41 (44) 12-3.4/5"), digits("0041 44")]).toEqual([
      ["044123", "44123"],
      ["4144123 45".replace(" ", "")],
      ["004144", "4144"],
    ]);
    expect([digits("123"), digits("044 123 x"), digits("1234a"), digits("#1234")]).toEqual([[], [], [], []]);
  });
});
