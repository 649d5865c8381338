import { describe, expect, it } from "@jest/globals";
import { newUuid } from "../../../base/values/ids.ts";
import { notes } from "../../../model/resources/notes.ts";
import { people } from "../../../model/resources/people.ts";
import { wordColumn, wordsOfValue } from "../../../model/resources/word-column.ts";

const WORKSPACE = newUuid();
const OWN = WORKSPACE.slice(-6);
const lexemes = (vector: string) => [...vector.matchAll(/'([^']*)'/g)].map(([, lexeme = ""]) => lexeme);
const without = (vector: string) => lexemes(vector).map((lexeme) => lexeme.slice(OWN.length));

describe("The words of a row (docs/decisions/0025-search.md)", () => {
  it("of a person are those of its names, of other fields, and its digits", () => {
    const vector = wordColumn(people, WORKSPACE, {
      firstName: "Ada",
      lastName: "Lovelace",
      fullName: "Ada Lovelace",
      jobTitle: "Analyst for Ada",
      description: "unseen",
      addresses: ["unseen"],
      emails: ["ada@ex.test"],
      phones: ["+41 44 12"],
      urls: ["https://ex.test"],
    });
    expect(without(vector).sort()).toEqual(
      ["nada", "nlovelace", "o12", "o41", "o44", "oanalyst", "oex", "ofor", "ohttps", "otest"]
        .concat(["p414412", "p4412"])
        .sort(),
    );
    expect(lexemes(vector).every((lexeme) => lexeme.startsWith(OWN))).toBe(true);
  });

  it("of a custom text and a note are no names", () => {
    expect(without(wordsOfValue(WORKSPACE, "Ada 北京"))).toEqual(["oada", "o北京", "o京"]);
    expect(without(wordColumn(notes, WORKSPACE, { content: "**Ada**" }))).toEqual(["oada"]);
  });

  it("are not more than a tsvector can hold", () => {
    const letters = Array.from({ length: 100_000 }, (_, i) => String.fromCodePoint(0x20000 + ((i * 7919) % 40_000)));
    const vector = wordColumn(notes, WORKSPACE, { content: letters.join("") });
    const bytes = lexemes(vector).reduce((sum, lexeme) => sum + Buffer.byteLength(lexeme), 0);
    expect(bytes).toBeLessThan(2 ** 20);
    expect(bytes).toBeGreaterThan(500_000);
  });
});
