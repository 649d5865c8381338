import { randomOf } from "../../harness/random.ts";
import { pick } from "../pick.ts";
import { companyName, lastName, word } from "./names.ts";
import { BEATS, COMMITTEES, CUSTOMERS, DIETS, GROUPS, STAGES, TAGS, TOPICS } from "./workspace.ts";

// Made-up records, named by their place. The same number always gives the same record, so both sides get the same ones.

/** How many records there are of each kind. */
export interface Sizes {
  people: number;
  companies: number;
  deals: number;
}

/** A value as it is sent, but for the places of what it names. */
export type Value =
  | string
  | number
  | readonly string[]
  | { users: number[] }
  | { companies: number[] }
  | { deals: number[] };

export interface Person {
  fields: Record<string, unknown> & { emails: string[]; lastName: string; birthday: string | null };
  companies: number[];
  groups: number[];
  values: { group: number; name: string; value: Value }[];
}

/** What the server made of them, by place. */
export interface Ids {
  users: string[];
  groups: string[];
  people: string[];
  companies: string[];
  deals: string[];
}

const FIRST_NAMES = 400;
const LAST_NAMES = 5000;
const JOBS = ["Engineer", "Analyst", "Buyer", "Designer", "Lawyer", "Founder", "Nurse", "Pilot"];
const COMMON_FIRST_NAMES = ["Alex", "Sam", "Kim", "Robin"];
const COMMON_LAST_NAMES = ["Smith", "Jones", "Brown", "Novak", "Silva"];
const COMMON_NOTES = ["Call back", "Met at the fair", "Asked for prices", "Wants the newsletter", "Do not call"];
/** One in so many people is plain. */
const PLAIN = 5;
/** Everybody else shares the others with few. */
const HUGE_COMPANY_SHARE = 0.05;
/** Companies of plain people; filters that ask for a rare company ask for later ones. */
const PLAIN_COMPANIES = 9;

export function sizesOf(people: number): Sizes {
  return { people, companies: Math.max(100, Math.floor(people / 10)), deals: Math.max(20, Math.floor(people / 100)) };
}

/**
 * Whether a person of the workspace is plain: no filter for something rare finds it. Writes change plain people only,
 * so that filters find the same on both sides whatever number of writes each has done.
 */
export const isPlain = (n: number): boolean => n % PLAIN === PLAIN - 1;

export function personOf(n: number, sizes: Sizes): Person {
  if (isPlain(n)) return plainPerson(n, `plain.${n}`);
  const random = randomOf(n);
  const first = word(skewed(random, FIRST_NAMES) + 7000);
  const last = lastName(skewed(random, LAST_NAMES));
  const groups = GROUPS.flatMap(({ share }, i) => (random() < share ? [i] : []));
  return {
    fields: {
      firstName: first,
      lastName: last,
      jobTitle: random() < 0.01 ? "" : pick(JOBS, skewed(random, JOBS.length)),
      description: random() < 0.3 ? sentence(random, 12) : "",
      birthday: random() < 0.6 ? day(1940, 24_000 * random()) : null,
      gender: pick(["Male", "Female", "Other", "Unknown"], skewed(random, 4)),
      emails: [`${first}.${last}.${n}@example.com`.toLowerCase()],
      phones: random() < 0.5 ? [`+1 202 ${Math.floor(random() * 10_000_000)}`] : [],
      addresses: random() < 0.3 ? [`${n % 300} ${word(n)} Street, ${word(n % 90)}`] : [],
      urls: random() < 0.2 ? [`https://example.com/${first.toLowerCase()}`] : [],
    },
    companies: companiesOf(random, sizes),
    groups,
    values: groups.flatMap((group) =>
      pick(VALUES, group)(random, sizes).map(([name, value]) => ({ group, name, value })),
    ),
  };
}

/** A person like many others; `mark` makes the e-mail address its own. */
export function plainPerson(n: number, mark: string): Person {
  return {
    fields: {
      firstName: pick(COMMON_FIRST_NAMES, n),
      lastName: pick(COMMON_LAST_NAMES, n),
      jobTitle: pick(JOBS, n),
      birthday: "1975-04-12",
      emails: [`${mark}@example.com`],
      phones: ["+1 202 555 0100"],
    },
    companies: [1 + (n % PLAIN_COMPANIES)],
    groups: [CUSTOMERS],
    values: [
      { group: CUSTOMERS, name: "Note", value: pick(COMMON_NOTES, n) },
      { group: CUSTOMERS, name: "Score", value: 1 + (n % 4000) },
      { group: CUSTOMERS, name: "Stage", value: pick(STAGES, n % 2) },
      { group: CUSTOMERS, name: "Tags", value: [pick(TAGS, 0), pick(TAGS, 1), pick(TAGS, 2)] },
    ],
  };
}

/** A person as REST takes it. */
export function personBody({ fields, companies, groups, values }: Person, ids: Ids): object {
  const customFieldValues: Record<string, Record<string, unknown>> = {};
  for (const { group, name, value } of values) {
    const id = pick(ids.groups, group);
    customFieldValues[id] = { ...customFieldValues[id], [name]: sent(value, ids) };
  }
  return {
    ...nativeBody({ fields, companies }, ids),
    groups: groups.map((i) => ({ id: pick(ids.groups, i) })),
    customFieldValues,
  };
}

/** A person without groups, and so without custom values. */
export function nativeBody({ fields, companies }: Pick<Person, "fields" | "companies">, ids: Ids): object {
  return { ...fields, companies: companies.map((i) => ({ id: pick(ids.companies, i) })) };
}

/** A company without groups, as both REST and a table take it. */
export function companyOf(n: number): { name: string; description: string; industry: string; urls: string[] } {
  return {
    name: companyName(n),
    description: `Makes ${word(n + 5)}.`,
    industry: word(n % 40),
    urls: [`https://example.com/${n}`],
  };
}

export function companyBody(n: number, ids: Ids): object {
  return {
    ...companyOf(n),
    groups: [{ id: pick(ids.groups, 0) }, ...(n % 2 === 0 ? [{ id: pick(ids.groups, 1) }] : [])],
  };
}

export function dealBody(n: number, sizes: Sizes, ids: Ids): object {
  const company = 2 * (n % Math.floor(sizes.companies / 2));
  return { name: `Deal ${n} ${word(n)}`, companies: [{ id: pick(ids.companies, company) }] };
}

function sent(value: Value, ids: Ids): unknown {
  if (typeof value !== "object" || Array.isArray(value)) return value;
  return Object.entries(value).flatMap(([kind, places]: [string, number[]]) =>
    places.map((i) => ({ id: pick(ids[kind as "users" | "companies" | "deals"], i) })),
  );
}

type ValuesOf = (random: () => number, sizes: Sizes) => [name: string, value: Value][];

/** The values of people in each of the groups. */
const VALUES: ValuesOf[] = [
  (random) => [
    ["Note", random() < 0.6 ? pick(COMMON_NOTES, skewed(random, COMMON_NOTES.length)) : sentence(random, 5)],
    ["Score", Number((10_000 * random() ** 3).toFixed(2))],
    ["Stage", pick(STAGES, stageOf(random()))],
    ...(random() < 0.5 ? [["Tags", tagsOf(random)] as [string, Value]] : []),
  ],
  (random, sizes) => [
    ["Renewal", day(2020, 3650 * random())],
    ["Owner", { users: [ownerOf(random())] }],
    ...(random() < 0.4 ? [["Contact", { companies: [skewed(random, sizes.companies)] }] as [string, Value]] : []),
    ...(random() < 0.1 ? [["Deals", { deals: [skewed(random, sizes.deals)] }] as [string, Value]] : []),
  ],
  (random) => [
    ["Seat", `${1 + Math.floor(random() * 40)} ${pick([..."ABCDEF"], skewed(random, 6))}`],
    ["Visits", skewed(random, 30)],
    ["Diet", pick(DIETS, skewed(random, DIETS.length))],
    ["Topics", [pick(TOPICS, skewed(random, TOPICS.length))]],
  ],
  (random) => [
    ["Outlet", `The ${word(skewed(random, 200))} Post`],
    ["Since", day(1990, 12_000 * random())],
    ["Beat", pick(BEATS, skewed(random, BEATS.length))],
    ["Editor", { users: [skewed(random, 5)] }],
  ],
  (random) => [
    ["Office", word(skewed(random, 20))],
    ["Term", day(2026, 1500 * random())],
    ["Votes", skewed(random, 100)],
    ["Committees", [pick(COMMITTEES, skewed(random, COMMITTEES.length))]],
  ],
];

/** A number below `count`; small ones are much more frequent. */
function skewed(random: () => number, count: number): number {
  return Math.floor(random() ** 3 * count);
}

function companiesOf(random: () => number, { companies }: Sizes): number[] {
  if (random() < HUGE_COMPANY_SHARE) return [0];
  return random() < 0.8 ? [Math.floor(random() ** 2 * companies)] : [];
}

/** Won is rare: half a percent. */
function stageOf(share: number): number {
  return [0.6, 0.85, 0.95, 0.995].filter((bound) => share >= bound).length;
}

function tagsOf(random: () => number): string[] {
  const first = skewed(random, TAGS.length);
  return random() < 0.5 ? [pick(TAGS, first)] : [pick(TAGS, first), pick(TAGS, first + 3)];
}

/** The first user has most, the last one two percent. */
function ownerOf(share: number): number {
  return [0.7, 0.85, 0.93, 0.98].filter((bound) => share >= bound).length;
}

function sentence(random: () => number, words: number): string {
  return Array.from({ length: words }, () => word(Math.floor(random() * 20_000)).toLowerCase()).join(" ");
}

function day(year: number, days: number): string {
  return new Date(Date.UTC(year, 0, 1 + Math.floor(days))).toISOString().slice(0, 10);
}
