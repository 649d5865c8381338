import { describe, expect, it } from "@jest/globals";
import { newUuid, toId, type Uuid } from "../../../../base/values/ids.ts";
import type { RecordRow } from "../../../../engine/records/select.ts";
import {
  addedFields,
  FILLED_FIELDS,
  fillOf,
  readAnswer,
  waitAfter,
} from "../../../../services/interactions/enrichments/enrich.ts";

const EMPTY: RecordRow = {
  uuid: newUuid(),
  createdBy: newUuid(),
  memberships: [],
  version: 1,
  firstName: "",
  lastName: "",
  fullName: "",
  description: "",
  birthday: null,
  gender: "Unknown",
  jobTitle: "",
  companies: [] as Uuid[],
  addresses: [],
  emails: [],
  phones: [],
  urls: [],
};

describe("An answer of a provider (docs/guides/enrichment.md#answers)", () => {
  const company = toId("company", newUuid());

  it("is taken in all fields of a person that are no groups and custom values", () => {
    expect(FILLED_FIELDS).toEqual(
      Object.keys(EMPTY).filter((name) => !["uuid", "createdBy", "memberships", "version"].includes(name)),
    );
    const answer = {
      fullName: "Grace Hopper",
      birthday: "1906-12-09",
      gender: "Female",
      companies: [{ name: "US Navy" }, { id: company }],
      urls: ["https://example.com"],
    };
    expect(readAnswer(answer)).toEqual({ fields: answer });
  });

  it("may have members that a person does not have, and repeat the person as it was sent", () => {
    expect(
      readAnswer({
        id: "per_1",
        score: 0.9,
        jobTitle: "Admiral",
        description: null,
        groups: [{ id: "grp_1" }],
        customFieldValues: { grp_1: { Status: "Lead" } },
        companies: [
          { id: company, name: "US Navy" },
          { name: "Harvard", size: "large" },
        ],
        createdAt: 7,
        ...JSON.parse('{"__proto__": {"lastName": "Hopper"}, "constructor": "x"}'),
      }),
    ).toEqual({ fields: { jobTitle: "Admiral", companies: [{ id: company }, { name: "Harvard" }] } });
  });

  it.each<[what: string, answer: unknown, path: (string | number)[]]>([
    ["a list", [], []],
    ["null", null, []],
    ["a text", "Admiral", []],
    ["a number for a text", { jobTitle: 7 }, ["jobTitle"]],
    ["an object for a text", { jobTitle: { a: 1 } }, ["jobTitle"]],
    ["a text for a list", { emails: "grace@navy.example" }, ["emails"]],
    ["a number in a list", { emails: [7] }, ["emails", 0]],
    ["a text that is too long", { jobTitle: "x".repeat(501) }, ["jobTitle"]],
    ["too many entries", { urls: Array.from({ length: 21 }, () => "x") }, ["urls"]],
    ["a date that does not exist", { birthday: "1906-02-30" }, ["birthday"]],
    ["an unknown word", { gender: "female" }, ["gender"]],
    ["a text that cannot be stored", { jobTitle: "a\u0000" }, ["jobTitle"]],
    ["a company without a name", { companies: [{}] }, ["companies", 0]],
    ["a company that is a text", { companies: ["US Navy"] }, ["companies", 0]],
  ])("is refused when it is or has %s", (_, answer, path) => {
    expect(readAnswer(answer)).toMatchObject({ issues: [{ path }] });
  });
});

describe("Filling a person (docs/guides/enrichment.md#what-is-filled)", () => {
  it("takes what is found for empty fields, and nothing for the others", () => {
    const person = { ...EMPTY, jobTitle: "Analyst", emails: ["a@x.test"], birthday: "1900-01-01" };
    const found = {
      jobTitle: "Admiral",
      emails: ["b@x.test"],
      birthday: "1906-12-09",
      description: "Wrote a compiler.",
      phones: ["1"],
      gender: "Female",
      companies: [{ name: "US Navy" }],
    };
    const { jobTitle: _, emails: __, birthday: ___, ...rest } = found;
    expect(fillOf(person, found)).toEqual(rest);
    expect(fillOf(EMPTY, found)).toEqual(found);
  });

  it("takes nothing that is no value", () => {
    expect(fillOf(EMPTY, { jobTitle: "", birthday: "", gender: "Unknown", emails: [], companies: [] })).toEqual({});
    expect(fillOf(EMPTY, {})).toEqual({});
  });

  it("does not take a company that is there for none", () => {
    expect(fillOf({ ...EMPTY, companies: [newUuid()] }, { companies: [{ name: "US Navy" }] })).toEqual({});
  });

  it.each<[there: object, found: object, sent: object]>([
    [{}, { fullName: "Grace Hopper" }, { fullName: "Grace Hopper" }],
    [{}, { firstName: "Grace", lastName: "Hopper" }, { firstName: "Grace", lastName: "Hopper" }],
    [
      { firstName: "Grace", fullName: "Grace" },
      { lastName: "Hopper" },
      { lastName: "Hopper", firstName: "Grace", fullName: "Grace" },
    ],
    [{ firstName: "Grace", fullName: "Grace" }, { firstName: "G.", fullName: "G. Hopper" }, {}],
    [{ fullName: "Amazing Grace" }, { firstName: "Grace" }, { firstName: "Grace", fullName: "Amazing Grace" }],
    [{ firstName: "Grace" }, { fullName: "G. Hopper" }, { fullName: "G. Hopper", firstName: "Grace" }],
  ])("leaves names that are there: of %j and %j it sends %j", (there, found, sent) => {
    expect(fillOf({ ...EMPTY, ...there }, { ...found })).toEqual(sent);
  });

  it("tells the fields that were empty and are not any more, in the order of the table of fields", () => {
    const before = { ...EMPTY, jobTitle: "Analyst" };
    const after = {
      ...before,
      urls: ["x"],
      firstName: "Grace",
      fullName: "Grace",
      gender: "Female",
      companies: [newUuid()],
    };
    expect(addedFields(before, after)).toEqual(["firstName", "fullName", "gender", "companies", "urls"]);
    expect(addedFields(before, before)).toEqual([]);
  });
});

it("Waits grow, last at least as long as the provider asks for, and end after four attempts (docs/guides/enrichment.md#attempts)", () => {
  expect([1, 2, 3, 4].map((attempt) => waitAfter(attempt))).toEqual([2_000, 10_000, 60_000, null]);
  expect([1, 2, 3, 4].map((attempt) => waitAfter(attempt, 30_000))).toEqual([30_000, 30_000, 60_000, null]);
});
