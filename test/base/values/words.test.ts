import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { searchVector, wordSearch } from "../../../base/values/words.ts";

const words = (text: string) => searchVector(text).match(/'(?:[^']|'')*'/g) ?? [];

describe("The words of a text (docs/guides/notes.md#search)", () => {
  it("are runs of letters and digits without letter case, each once", () => {
    expect(words("Foo foo_bar E-MAIL 3.14")).toEqual(["'foo'", "'bar'", "'e'", "'mail'", "'3'", "'14'"]);
  });

  it("are pairs of characters where a script has no blanks", () => {
    expect(words("予算会議!")).toEqual(["'予算'", "'算会'", "'会議'", "'議'"]);
    expect(words("iPhone手机")).toEqual(["'iphone'", "'手机'", "'机'"]);
  });

  it("are emoji with what belongs to them, and other symbols one by one", () => {
    expect(words("🎉🎉 👍🏽 👩‍💻 5€+")).toEqual(["'🎉'", "'👍🏽'", "'👩‍💻'", "'5'", "'€'", "'+'"]);
  });

  it("double what a tsvector has for its own", () => {
    expect(searchVector("a´b `")).not.toContain("''");
    expect(wordSearch("x' | y\\").query).toBe("'x':* & '|':* & 'y':*");
  });

  it("are cut where PostgreSQL takes no longer ones, in the search too", () => {
    const [word = ""] = words("x".repeat(5000));
    expect(word.length).toBe(202);
    expect(wordSearch("x".repeat(900)).query).toBe(`${word}:*`);
  });

  it("ask for runs of three characters and more as they are", () => {
    expect(wordSearch("予算会議 予算 x")).toEqual({
      query: "'予算':* & '算会':* & '会議':* & 'x':*",
      substrings: ["予算会議"],
    });
    expect(wordSearch("予")).toEqual({ query: "'予':*", substrings: [] });
    expect(wordSearch("?!").query).toBeNull();
  });

  it("are found by each beginning of each of them", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        const vector = words(text);
        const { query } = wordSearch(text);
        for (const term of query?.split(" & ") ?? []) {
          const prefix = term.slice(0, -3);
          expect(vector.some((word) => word.startsWith(prefix))).toBe(true);
        }
      }),
    );
  });
});
