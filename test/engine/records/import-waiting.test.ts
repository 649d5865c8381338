import { describe, expect, it } from "@jest/globals";
import { personRecognition } from "../../../engine/records/import.ts";
import { entryOf } from "../../../engine/records/import-entry.ts";
import { withoutWaiting } from "../../../engine/records/import-rows.ts";
import { people } from "../../../model/resources/people.ts";

const COMPANIES = [{ name: "Acme" }];
const SAM = { fullName: "Sam Jones", companies: COMPANIES };

/** The places of the rows that are written first. */
function first(...rows: Record<string, unknown>[]): number[] {
  const entries = rows.map((fields, place) => {
    const entry = entryOf({ fields, values: {} }, place);
    return { ...entry, keys: personRecognition.keysOf(people, entry, "email") ?? entry.keys };
  });
  return withoutWaiting(entries).map(({ index }) => index);
}

describe("Rows of one batch (docs/guides/import-matching.md#rows-about-the-same-record)", () => {
  it("wait for an earlier one with the same address, whatever else tells them apart", () => {
    const one = { ...SAM, emails: ["sam@acme.test", "sam@home.test"] };
    expect(first(one, { ...SAM, emails: ["SAM@acme.test", "jones@home.test"] }, { emails: ["ada@acme.test"] })).toEqual(
      [0, 2],
    );
  });

  it("wait for an earlier one with the same name and company", () => {
    expect(first({ ...SAM, emails: ["sam@acme.test"] }, { ...SAM, emails: ["sam@home.test"] })).toEqual([0]);
  });

  it("are written together though they have one name and company, when their addresses tell them apart", () => {
    const rows = Array.from({ length: 500 }, (_, n) => ({ ...SAM, emails: [`sam.${n}@acme.test`] }));
    expect(first(...rows)).toHaveLength(500);
  });

  it("wait for an earlier one of their name when they have nothing else", () => {
    const named = { fullName: "Sam Jones" };
    expect(first({ ...named, emails: ["sam@acme.test"] }, named)).toEqual([0]);
  });
});
