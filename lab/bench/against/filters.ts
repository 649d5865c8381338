import type { Request } from "../../harness/load.ts";
import { pick } from "../pick.ts";
import { isPlain, type Person, personOf, type Value } from "./content.ts";
import { lastName } from "./names.ts";
import type { Operation } from "./operation.ts";
import type { Contents } from "./seed.ts";
import { CUSTOMERS, PARTNERS, PRESS, TAGS } from "./workspace.ts";

/** Ways to ask the same kind of filter. */
const WAYS = 12;
/** People are looked through for values from here on, with this step, so that they come from all over. */
const STEP = 7919;

/** `filter[field]` with its operator in brackets, and a value. */
type Part = [field: string, operators: string, value: string | number];

type Form = [name: string, parts: (i: number) => Part[], combinator?: "or"];

export function filters(contents: Contents): Operation[] {
  return [...nativeForms(contents), ...customForms(contents), ...mixedForms(contents)].map(
    ([name, parts, combinator]) => ({
      name: `filter: ${name}`,
      kind: "filter",
      requests: Array.from({ length: WAYS }, (_, i) => filtered(parts(i), combinator)),
    }),
  );
}

function nativeForms(contents: Contents): Form[] {
  const { day, groups, companies } = contents;
  const someone = samples(contents, () => true);
  const born = samples(contents, ({ fields }) => fields.birthday !== null);
  const rareCompany = samples(contents, (person) => (person.companies[0] ?? 0) > companies.length / 2);
  const part = (i: number): string => pick(someone, i).fields.lastName.slice(0, 6).toLowerCase();
  return [
    ["text eq, e-mail", (i) => [["emails", "[eq]", pick(pick(someone, i).fields.emails, 0)]]],
    ["text eq, name", (i) => [["lastName", "[eq]", lastName(40 + i * 31)]]],
    ["text like", (i) => [["fullName", "[like]", part(i)]]],
    ["text like, common", (i) => [["emails", "[like]", pick(["example", "mple.com", "@exam"], i)]]],
    ["text empty", () => [["jobTitle", "[empty]", ""]]],
    ["date gt", (i) => [["birthday", "[gt]", `2005-0${1 + (i % 6)}-15`]]],
    ["birthday eq", (i) => [["birthday", "[eq]", pick(born, i).fields.birthday ?? ""]]],
    ["createdAt gt, all", () => [["createdAt", "[gt]", "2020-01-01"]]],
    ["createdAt lt, none", () => [["createdAt", "[lt]", day]]],
    ["company in, rare", (i) => [["companies", "[in][id]", pick(companies, pick(rareCompany, i).companies[0] ?? 0)]]],
    ["company in, huge", () => [["companies", "[in][id]", pick(companies, 0)]]],
    ["group in, rare", () => [["groups", "[in][id]", pick(groups, PRESS)]]],
    ["group in, common", () => [["groups", "[in][id]", pick(groups, PARTNERS)]]],
  ];
}

function customForms(contents: Contents): Form[] {
  const { users, companies } = contents;
  const field = fieldOf(contents);
  const [score, stage, tags] = [field(CUSTOMERS, "Score"), field(CUSTOMERS, "Stage"), field(CUSTOMERS, "Tags")];
  const noted = samples(contents, (person) => String(valueIn(person, "Note")).split(" ").length === 5);
  const note = (i: number): string => String(valueIn(pick(noted, i), "Note"));
  const contacts = samples(contents, (person) => contactOf(person) > companies.length / 2);
  return [
    ["custom text eq", (i) => [[field(CUSTOMERS, "Note"), "[eq]", note(i)]]],
    ["custom text like", (i) => [[field(CUSTOMERS, "Note"), "[like]", pick(note(i).split(" "), i)]]],
    ["custom number gt", (i) => [[score, "[gt]", 9900 + i]]],
    ["custom select in, common", () => [[stage, "[in]", "Lead"]]],
    ["custom select in, rare", () => [[stage, "[in]", "Won"]]],
    [
      "custom multiple select all",
      (i) => [1 + (i % 4), 4 + (i % 4)].map((place) => [tags, "[all]", pick(TAGS, place)]),
    ],
    ["custom user in", () => [[field(PARTNERS, "Owner"), "[in][id]", pick(users, 4)]]],
    [
      "custom contact in",
      (i) => [[field(PARTNERS, "Contact"), "[in][id]", pick(companies, contactOf(pick(contacts, i)))]],
    ],
  ];
}

function mixedForms(contents: Contents): Form[] {
  const field = fieldOf(contents);
  const [note, score, stage] = [field(CUSTOMERS, "Note"), field(CUSTOMERS, "Score"), field(CUSTOMERS, "Stage")];
  return [
    [
      "two with or",
      (i) => [
        ["lastName", "[eq]", lastName(50 + i * 29)],
        [score, "[gt]", 9950 + i],
      ],
      "or",
    ],
    [
      "two with and",
      (i) => [
        [stage, "[in]", "Offer"],
        ["birthday", "[gt]", `2003-0${1 + (i % 9)}-01`],
      ],
    ],
    [
      "matches nothing",
      (i) => [
        pick<Part>(
          [
            ["lastName", "[eq]", `Nobody ${i}`],
            [score, "[gt]", 20_000 + i],
            [note, "[like]", `xyzzy${i}`],
          ],
          i,
        ),
      ],
    ],
    [
      "matches nearly all",
      (i) => [
        pick<Part>(
          [
            ["jobTitle", "[not_empty]", ""],
            [score, "[gt]", 1 + (i % 3)],
            ["lastName", "[not_eq]", lastName(i)],
            [stage, "[not_in]", "Won"],
          ],
          i,
        ),
      ],
    ],
  ];
}

/** A list of people with these filters. */
function filtered(parts: Part[], combinator?: "or"): Request {
  const filters = parts.map(
    ([field, operators, value]) => `filter[${encodeURIComponent(field)}]${operators}=${encodeURIComponent(value)}`,
  );
  const query = [...filters, ...(combinator ? [`combinator=${combinator}`] : [])].join("&");
  return { method: "GET", path: `/v1/people?${query}` };
}

/** The name by which filters know a custom field of a group. */
function fieldOf({ groups }: Contents): (group: number, name: string) => string {
  return (group, name) => `customFieldValues.${pick(groups, group)}.${name}`;
}

/** Some people who are not plain and of whom something holds. */
export function samples({ sizes }: Contents, holds: (person: Person) => boolean): Person[] {
  const found: Person[] = [];
  for (let i = 0; i < sizes.people && found.length < WAYS; i++) {
    const n = (i * STEP) % sizes.people;
    if (isPlain(n)) continue;
    const person = personOf(n, sizes);
    if (holds(person)) found.push(person);
  }
  if (found.length === 0) throw new Error("There are too few people for some of the filters");
  return found;
}

function valueIn({ values }: Person, name: string): Value | undefined {
  return values.find((value) => value.name === name)?.value;
}

/** The place of the company that a person has as Contact; -1 without. */
function contactOf(person: Person): number {
  const value = valueIn(person, "Contact");
  return typeof value === "object" && "companies" in value ? (value.companies[0] ?? -1) : -1;
}
