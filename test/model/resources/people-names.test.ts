import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { deriveNames } from "../../../model/resources/people.ts";

const text = fc.string({ unit: "grapheme", maxLength: 20 });
const current = fc.record({ firstName: text, lastName: text, fullName: text });

// The table itself is in test/http/people.test.ts; here, what must hold of any names.
describe("names of a person (docs/guides/people.md#names)", () => {
  it("that are only a full name are split so that the parts joined by one space are it again", () => {
    fc.assert(
      fc.property(text, fc.option(current), (fullName, before) => {
        const { firstName, lastName } = deriveNames({ fullName }, before);
        expect(fullName.includes(" ") ? `${String(firstName)} ${String(lastName)}` : firstName).toBe(fullName);
        expect(String(lastName)).not.toContain(" ");
      }),
    );
  });

  it("that are given are never changed, and fields that are no names pass untouched", () => {
    const sent = fc.record({ firstName: text, lastName: text, fullName: text, jobTitle: text }, { requiredKeys: [] });
    fc.assert(
      fc.property(sent, fc.option(current), (given, before) => expect(deriveNames(given, before)).toMatchObject(given)),
    );
  });

  it("whose parts change make the full name anew from the resulting two", () => {
    fc.assert(
      fc.property(current, text, (before, lastName) => {
        const { fullName } = deriveNames({ lastName }, before);
        expect(fullName).toBe([before.firstName, lastName].filter(Boolean).join(" "));
      }),
    );
  });

  it("of which none is sent stay", () => {
    fc.assert(
      fc.property(current, (before) => expect(deriveNames({ jobTitle: "x" }, before)).toEqual({ jobTitle: "x" })),
    );
  });
});
