import { toId } from "../../base/values/ids.ts";
import { pick } from "../../lab/bench/pick.ts";
import { activityRoutes } from "./activity.ts";
import type { Request } from "./case.ts";
import { companyName, lastName, word } from "./material.ts";
import type { Seeded } from "./seed.ts";

/** Something that is measured. Writes change other records on the real server than on the bare one. */
export interface Route {
  name: string;
  kind: "read" | "filter" | "write" | "batch";
  real: Request[];
  bare: Request[];
  /** Follow the link to the next page this often, and ask for those pages too. */
  pages?: number;
}

const GOT = 200;
const PATCHED = 100;
const CREATED = 20;
export const BATCH = 100;
const BATCHES = 10;
/** Ways to ask the same kind of filter. */
const VALUES = 10;

/** What `npm run bench` measures, in the order of its table. */
export function routes(seeded: Seeded): Route[] {
  const pick = picker(seeded.people);
  const get = pick(GOT).map((id): Request => ({ method: "GET", path: `/v1/people/${id}` }));
  const list = (limit: number): Request[] => [{ method: "GET", path: `/v1/people?limit=${limit}` }];
  return [
    { name: "get one", kind: "read", real: get, bare: get },
    { name: "list 20", kind: "read", real: list(20), bare: list(20), pages: 20 },
    { name: "list 100", kind: "read", real: list(100), bare: list(100), pages: 20 },
    ...filterRoutes(seeded),
    ...activityRoutes(seeded.people),
    { name: "create", kind: "write", real: creates(seeded), bare: creates(seeded) },
    { name: "patch", kind: "write", real: patches(pick(PATCHED), seeded), bare: patches(pick(PATCHED), seeded) },
    { name: `batch create ${BATCH}`, kind: "batch", real: batchCreates(seeded), bare: batchCreates(seeded) },
    {
      name: `batch update ${BATCH}`,
      kind: "batch",
      real: batchUpdates(pick(BATCH * BATCHES)),
      bare: batchUpdates(pick(BATCH * BATCHES)),
    },
  ];
}

/** Gives people from all over the workspace, nobody twice. */
function picker(ids: string[]): (count: number) => string[] {
  const all = GOT + 2 * PATCHED + 2 * BATCH * BATCHES;
  if (ids.length < all) throw new Error(`The bench needs at least ${all} people`);
  let taken = 0;
  return (count) => Array.from({ length: count }, () => ids[Math.floor((taken++ * ids.length) / all)] ?? "");
}

function filterRoutes(seeded: Seeded): Route[] {
  const { groupId, companies } = seeded;
  const custom = (name: string): string => `customFieldValues.${groupId}.${name}`;
  const company = (i: number): string => toId("company", pick(companies, i * 37));
  const forms: [
    name: string,
    (i: number) => [field: string, operators: string, value: string | number][],
    combinator?: "or",
  ][] = [
    ["text eq", (i) => [["lastName", "[eq]", lastName(i * 31)]]],
    [
      "text like",
      (i) => [
        [
          "fullName",
          "[like]",
          lastName(i * 17)
            .slice(0, 6)
            .toLowerCase(),
        ],
      ],
    ],
    ["date gt", (i) => [["birthday", "[gt]", `2004-0${1 + (i % 9)}-15`]]],
    [
      "reference in",
      (i) => [
        ["companies", "[in][id]", company(i)],
        ["companies", "[in][id]", company(i + 1)],
      ],
    ],
    [
      "custom select in",
      (i) => [
        [custom("Stage"), "[in]", "Won"],
        [custom("Stage"), "[in]", i % 2 ? "Offer" : "Won"],
      ],
    ],
    ["custom number gt", (i) => [[custom("Score"), "[gt]", 9900 + i]]],
    [
      "two with or",
      (i) => [
        ["lastName", "[eq]", lastName(i * 29)],
        [custom("Score"), "[gt]", 9950 + i],
      ],
      "or",
    ],
    ["matches nothing", (i) => [nothing(i, custom)]],
    ["matches nearly all", (i) => [nearlyAll(i, custom)]],
  ];
  return forms.map(([name, parts, combinator]) => {
    const requests = Array.from({ length: VALUES }, (_, i) => filtered(parts(i), combinator));
    return { name: `filter: ${name}`, kind: "filter", real: requests, bare: requests };
  });
}

/** `filter[field]` with its operator in brackets, and a value. */
export type Part = [field: string, operators: string, value: string | number];

function nothing(i: number, custom: (name: string) => string): Part {
  const ways: Part[] = [
    ["lastName", "[eq]", `Nobody ${i}`],
    [custom("Score"), "[gt]", 20_000 + i],
    [custom("Note"), "[like]", `xyzzy${i}`],
  ];
  return ways[i % ways.length] ?? ["lastName", "[eq]", "Nobody"];
}

function nearlyAll(i: number, custom: (name: string) => string): Part {
  const ways: Part[] = [
    ["jobTitle", "[not_empty]", ""],
    [custom("Score"), "[gt]", 1 + i],
    ["lastName", "[not_eq]", lastName(i)],
    ["fullName", "[like]", "a"],
    [custom("Stage"), "[not_in]", "Won"],
  ];
  return ways[i % ways.length] ?? ["jobTitle", "[not_empty]", ""];
}

/** A list with these filters. */
export function filtered(parts: Part[], combinator?: "or"): Request {
  const filters = parts.map(
    ([field, operators, value]) => `filter[${encodeURIComponent(field)}]${operators}=${encodeURIComponent(value)}`,
  );
  return {
    method: "GET",
    path: `/v1/people?${[...filters, ...(combinator ? [`combinator=${combinator}`] : [])].join("&")}`,
  };
}

function newPerson({ groupId, companies }: Seeded, i: number): object {
  return {
    firstName: word(i + 100),
    lastName: lastName(i),
    emails: [`new.person.${i}@example.com`],
    phones: ["+1 202 555 0100"],
    jobTitle: "Engineer",
    birthday: "1985-04-12",
    groups: [{ id: groupId }],
    companies: [{ id: toId("company", pick(companies, i)) }],
    customFieldValues: {
      [groupId]: { Note: `Met at ${companyName(i)}`, Score: i + 0.5, Renewal: "2027-01-31", Stage: "Lead" },
    },
  };
}

function creates(seeded: Seeded): Request[] {
  return Array.from({ length: CREATED }, (_, i) => ({
    method: "POST",
    path: "/v1/people",
    body: JSON.stringify(newPerson(seeded, i)),
  }));
}

function batchCreates(seeded: Seeded): Request[] {
  return Array.from({ length: 3 }, (_, batch) => {
    const records = Array.from({ length: BATCH }, (_, i) => newPerson(seeded, batch * BATCH + i));
    return { method: "POST", path: "/v1/people/batch/create", body: JSON.stringify({ records }) };
  });
}

// Everybody gets one value, then everybody another: what is sent always differs from what is there.
const TITLES = ["Captain of Industry", "Keeper of the Keys"];

function patches(ids: string[], { groupId }: Seeded): Request[] {
  return TITLES.flatMap((jobTitle, i) =>
    ids.map((id): Request => {
      const body = { jobTitle, customFieldValues: { [groupId]: { Score: 5000 + i } } };
      return { method: "PATCH", path: `/v1/people/${id}`, body: JSON.stringify(body) };
    }),
  );
}

function batchUpdates(ids: string[]): Request[] {
  return TITLES.flatMap((jobTitle) =>
    Array.from({ length: BATCHES }, (_, batch): Request => {
      const records = ids.slice(batch * BATCH, (batch + 1) * BATCH).map((id) => ({ id, jobTitle }));
      return { method: "POST", path: "/v1/people/batch/update", body: JSON.stringify({ records }) };
    }),
  );
}
