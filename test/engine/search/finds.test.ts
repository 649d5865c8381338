import { describe, expect, it } from "@jest/globals";
import { askedOf } from "../../../engine/search/asked.ts";
import { type FieldText, matchesIn } from "../../../engine/search/finds.ts";
import { snippet } from "../../../engine/search/snippet.ts";

const field = (name: string, text: string, kind: FieldText["kind"] = "other"): FieldText => ({
  path: [name],
  text,
  kind,
});
const pathsIn = (q: string, texts: FieldText[]) => matchesIn(askedOf(q), texts)?.map(({ path }) => path.join("."));
const textIn = (q: string, text: string) => matchesIn(askedOf(q), [field("content", text)])?.[0]?.text ?? "";

describe("The fields of a find (docs/guides/search.md#answers)", () => {
  it("are those with a word, if all words are somewhere", () => {
    const texts = [field("firstName", "Ada", "name"), field("jobTitle", "Analyst"), field("emails", "x@y.test")];
    expect(pathsIn("ada analyst", texts)).toEqual(["firstName", "jobTitle"]);
    expect(matchesIn(askedOf("ada programmer"), texts)).toBeNull();
  });

  it("are in the order of their closeness, names first, companies behind, those with more words first", () => {
    const texts = [
      field("companies", "Babbage", "company"),
      field("jobTitle", "babbage"),
      field("lastName", "Babbages", "name"),
      field("emails", "babbagge@x.test"),
      field("fullName", "Babbage", "name"),
    ];
    expect(pathsIn("babbage", texts)).toEqual(["fullName", "jobTitle", "companies", "lastName", "emails"]);
    const names = [field("firstName", "Ada", "name"), field("fullName", "Ada Lovelace", "name")];
    expect(pathsIn("ada lovelace", names)).toEqual(["fullName", "firstName"]);
  });

  it("are each there once, with the best of their texts, and five at most", () => {
    const mails = ["adam@x.test", "ada@x.test", "adda@x.test"].map((text) => field("emails", text));
    expect(matchesIn(askedOf("ada"), mails)).toEqual([{ path: ["emails"], text: "ada@x.test" }]);
    const many = Array.from({ length: 8 }, (_, i) => field(`f${i}`, "ada"));
    expect(pathsIn("ada", many)).toEqual(["f0", "f1", "f2", "f3", "f4"]);
  });

  it("are phones whose digits begin like the query", () => {
    const phones = [field("phones", "+41 44 123 45 67", "phone"), field("phones", "+49 30 1234", "phone")];
    expect(matchesIn(askedOf("0441"), phones)).toEqual([{ path: ["phones"], text: "+41 44 123 45 67" }]);
    expect(matchesIn(askedOf("(030) 12"), phones)).toEqual([{ path: ["phones"], text: "+49 30 1234" }]);
    expect(matchesIn(askedOf("2345"), phones)).toBeNull();
  });
});

describe("The text of a find", () => {
  const filler = "lorem ipsum dolor sit amet ".repeat(40);

  it.each([
    ["at the start", `Lovelace ${filler}`],
    ["in the middle", `${filler} Lovelace ${filler}`],
    ["at the end", `${filler} Lovelace`],
    ["among emoji", `${"👩‍👩‍👧‍👦".repeat(60)} Lovelace ${"👍🏽".repeat(90)}`],
    ["among flags", `${"🇨🇭".repeat(301)} Lovelace ${"🇨🇭".repeat(80)}`],
    ["among marks", `${"e\u0301\u0302".repeat(300)} Lovelace ${"e\u0301\u0302".repeat(300)}`],
    ["in a run without blanks", `${"北京".repeat(300)} Lovelace ${"大学".repeat(300)}`],
  ])("has it %s, and at most 200 characters around it", (_, text) => {
    for (const q of ["lovelace", "lovel", "lovilace"]) {
      const shown = textIn(q, text);
      expect(shown).toContain("Lovelace");
      expect(shown.length).toBeLessThanOrEqual(200);
      expect(text).toContain(shown);
    }
  });

  it.each(["北京大学", "北京天学"])("has %s in a long run of a script without blanks", (q) => {
    const text = `${"春夏秋冬".repeat(200)}北京大学${"春夏秋冬".repeat(200)}`;
    expect(textIn(q, text)).toContain("北京大学");
  });

  it("has a run of narrow letters and one of which the letters are decomposed", () => {
    expect(textIn("ガス", `${"ア".repeat(400)}ｶﾞｽ${"ア".repeat(400)}`)).toContain("ｶﾞｽ");
  });

  it("is never cut within a character", () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
    for (const unit of ["🇨🇭", "👩‍👩‍👧‍👦", "👍🏽", "e\u0301\u0302", "😀", "क्षि", "한".normalize("NFD")]) {
      for (let between = 0; between < 9; between++) {
        const text = `${unit.repeat(100)}${"x".repeat(between)} word ${"x".repeat(between)}${unit.repeat(100)}`;
        const start = text.indexOf("word");
        const shown = snippet(text, { start, end: start + 4 });
        const characters = new Set([...segmenter.segment(text)].map(({ segment }) => segment));
        const cut = [...segmenter.segment(shown)].filter(({ segment }) => !characters.has(segment));
        expect([unit, between, cut.map(({ segment }) => segment)]).toEqual([unit, between, []]);
        expect(shown).toContain("word");
      }
    }
  });

  it("is the whole text, if that is short", () => {
    expect(textIn("ada", " Ada \n Lovelace ")).toBe(" Ada \n Lovelace ");
  });

  it("is a part of a character without end, since there is nothing else to show", () => {
    const text = `e${"\u0301".repeat(3000)}`;
    const shown = snippet(text, { start: 0, end: text.length });
    expect([shown.length > 0, shown.length <= 200]).toEqual([true, true]);
  });
});
