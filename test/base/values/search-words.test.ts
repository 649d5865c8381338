import { describe, expect, it } from "@jest/globals";
import { foldedWord, lexemesOf, wordsOf } from "../../../base/values/search-words.ts";

const words = (text: string) => wordsOf(text).map(({ folded }) => folded);

describe("The words of a search over everything (docs/guides/search.md#words)", () => {
  it("are runs of letters, marks and digits, with their places in the text", () => {
    expect(words("O'Neil & Söhne (AG), R2D2 50% ada.lovelace@ex-ample.test")).toEqual([
      "o",
      "neil",
      "sohne",
      "ag",
      "r2d2",
      "50",
      "ada",
      "lovelace",
      "ex",
      "ample",
      "test",
    ]);
    expect(wordsOf("😀 Zoë!")).toEqual([{ folded: "zoe", start: 3, end: 6, isContinuous: false }]);
    expect(words("?! – 😀 …")).toEqual([]);
    expect(words("\u0301\u0302")).toEqual([]);
  });

  it.each([
    ["accents of Latin letters", ["Ångström", "angstrom", "ÅNGSTRÖM", "A\u030Angstro\u0308m"]],
    ["several accents on a letter", ["Nguyễn", "nguyen", "NGUYE\u0302\u0303N"]],
    ["ß", ["Weiß", "WEISS", "Weiẞ", "weiss"]],
    ["æ and œ", ["Æon", "aeon", "æON"]],
    ["œ", ["Œuvre", "oeuvre"]],
    ["ø", ["Søren", "SOREN", "SØREN"]],
    ["ł", ["Łukasz", "lukasz", "łUKASZ"]],
    ["đ", ["Đorđe", "dorde"]],
    ["Turkish letters", ["Işık", "ışık", "IŞIK", "isik"]],
    ["a dotted capital I", ["İstanbul", "istanbul", "ISTANBUL", "I\u0307stanbul"]],
    ["the sigmas", ["Οδυσσεύς", "ΟΔΥΣΣΕΥΣ", "οδυσσευσ"]],
    ["Cyrillic marks", ["Алёна", "алена", "АЛЁНА"]],
    ["Arabic vowels and hamza", ["مُحَمَّد", "محمد"]],
    ["Hebrew points", ["שָׁלוֹם", "שלום"]],
    ["wide letters", ["Ａｄａ", "ada"]],
    ["ligatures", ["ﬁnal", "final", "FINAL"]],
    ["narrow katakana", ["ｶﾞｽ", "ガス", "カ\u3099ス"]],
    ["Hangul in parts", ["한국", "한국".normalize("NFD")]],
  ])("do not tell apart %s", (_, forms) => {
    expect(forms.map(foldedWord)).toEqual(forms.map(() => foldedWord(forms[0] ?? "")));
  });

  it.each([
    ["Devanagari vowels", "कि", "की"],
    ["a Devanagari mark and none", "दिल्ली", "दल"],
    ["Tamil vowels", "கா", "கி"],
    ["Thai vowels", "ที่", "ที"],
    ["the marks of kana", "ガス", "カス"],
    ["the other mark of kana", "パン", "ハン"],
  ])("tell apart %s", (_, one, other) => {
    expect(foldedWord(one)).not.toBe(foldedWord(other));
  });

  it("end at a joiner without width, which is neither a letter nor a mark", () => {
    expect(words("می\u200cخواهم")).toEqual(["می", "خواهم"]);
    expect(words("क्\u200dष")).toEqual(["क\u094d", "ष"]);
  });

  it("change where a run passes between a script with blanks and one without", () => {
    expect(wordsOf("iPhone手机14")).toEqual([
      { folded: "iphone", start: 0, end: 6, isContinuous: false },
      { folded: "手机", start: 6, end: 8, isContinuous: true },
      { folded: "14", start: 8, end: 10, isContinuous: false },
    ]);
  });

  it("are looked up by pairs of characters in scripts without blanks", () => {
    expect(lexemesOf("Ada 北京大学")).toEqual(["ada", "北京", "京大", "大学", "学"]);
    expect(lexemesOf("𠮷野家")).toEqual(["𠮷野", "野家", "家"]);
  });

  it("are cut where no language has longer ones, unless their script has no blanks", () => {
    expect(foldedWord("x".repeat(1000)).length).toBe(200);
    expect(Array.from(foldedWord("𝔵".repeat(1000))).length).toBe(200);
    const run = `${"北京".repeat(200)}上海`;
    expect(words(run)).toEqual([run]);
    expect(lexemesOf(run)).toContain("上海");
  });

  it("never hold a quote, a backslash or a NUL, which lexemes could not", () => {
    const odd: string[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      const character = String.fromCodePoint(point);
      if (/[\p{L}\p{M}\p{N}]/u.test(character) && /['\\\0]/.test(foldedWord(character))) odd.push(character);
    }
    expect(odd).toEqual([]);
  });

  it("stay the same when they are folded once more, so that a query may be pasted from an answer", () => {
    for (const word of ["Weiß", "İstanbul", "Ὀδυσσεύς", "ǅ", "ŉ", "ﷺ", "½", "ｶﾞ", "ꙮ", "ᾳ"]) {
      const folded = foldedWord(word);
      expect([word, foldedWord(folded)]).toEqual([word, folded]);
    }
  });
});
