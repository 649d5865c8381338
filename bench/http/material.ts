import { toId, type Uuid } from "../../base/values/ids.ts";
import type { ChangedValue, Plan } from "../../engine/records/draft.ts";
import type { Membership } from "../../engine/records/select.ts";
import { pick } from "../../lab/bench/pick.ts";
import { randomOf } from "../../lab/harness/random.ts";
import type { FieldDefinition } from "../../model/custom-fields/definition.ts";
import type { Group } from "../../model/definitions/catalog.ts";
import { companies } from "../../model/resources/companies.ts";
import { objects } from "../../model/resources/objects.ts";
import { people } from "../../model/resources/people.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Scope } from "../../model/resources/scope.ts";

// Made-up records. The same number always gives the same record, so two runs fill the same workspace.

/** What people of the bench are in, and what they name. */
export interface Surroundings {
  /** Everybody is in it; its fields have values. */
  group: Group;
  /** Every tenth person is in it. */
  second: Group;
  users: Uuid[];
  companies: Uuid[];
  deals: Uuid[];
}

const SYLLABLES =
  "ka ri mo ten su la bor ni ve do pri ma zu hel go sta fi lu ran pe tor ci ja wen bo kri du sel ha ne".split(" ");
const JOBS = [
  "Analyst",
  "Engineer",
  "Head of Sales",
  "Buyer",
  "Designer",
  "Lawyer",
  "Founder",
  "Accountant",
  "Nurse",
  "Pilot",
];
const FIRST_NAMES = 400;
const LAST_NAMES = 5000;
/** Of a hundred people, so many are in each stage: Lead, Talk, Offer, Won, Lost. */
const STAGES = [50, 30, 10, 2, 8];

/** A word of three syllables; the same number gives the same word. */
export function word(n: number): string {
  const text = [n, Math.floor(n / 30), Math.floor(n / 900)]
    .map((i) => SYLLABLES[(i * 7 + 3) % SYLLABLES.length])
    .join("");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const lastName = (n: number): string => word(n % LAST_NAMES);
export const companyName = (n: number): string => `${word(n)} ${word(n * 3 + 1)} ${n}`;

export function companyPlan(uuid: Uuid, n: number): Plan {
  return planOf(companies, uuid, {
    name: companyName(n),
    description: `Makes ${word(n + 5)}.`,
    industry: word(n % 40),
    urls: [`https://example.com/${n}`],
  });
}

export function dealPlan(uuid: Uuid, n: number, group: Group): Plan {
  const scope: Scope = { entity: pick(group.objectTypes, 0).uuid, home: group };
  return { ...planOf(objects, uuid, { name: `Deal ${n} ${word(n)}` }, [{ groupId: group.uuid, values: {} }]), scope };
}

export function personPlan(uuid: Uuid, n: number, around: Surroundings): Plan {
  const random = randomOf(n);
  const first = word(Math.floor(random() * FIRST_NAMES) + 7000);
  const last = lastName(Math.floor(random() * LAST_NAMES));
  const values = valuesOf(around, random);
  const company = pick(around.companies, Math.floor(random() * around.companies.length));
  const memberships = [
    {
      groupId: around.group.uuid,
      values: Object.fromEntries(values.map(({ fieldId, stored }) => [fieldId, stored ?? ""])),
    },
    ...(n % 10 === 0 ? [{ groupId: around.second.uuid, values: {} }] : []),
  ];
  const columns = {
    firstName: first,
    lastName: last,
    fullName: `${first} ${last}`,
    description: random() < 0.3 ? sentence(random, 12) : "",
    birthday: random() < 0.6 ? day(1940, 24_000 * random()) : null,
    gender: ["Male", "Female", "Other", "Unknown"][Math.floor(random() * 4)],
    jobTitle: JOBS[Math.floor(random() * JOBS.length)],
    emails: [`${first}.${last}.${n}@example.com`.toLowerCase()],
    phones: random() < 0.5 ? [`+1 202 ${Math.floor(random() * 10_000_000)}`] : [],
    addresses: random() < 0.3 ? [`${n % 300} ${word(n)} Street, ${word(n % 90)}`] : [],
    urls: random() < 0.2 ? [`https://example.com/${first.toLowerCase()}`] : [],
  };
  return {
    ...planOf(people, uuid, columns, memberships),
    changedValues: values,
    links: new Map([["companies", { before: [], after: random() < 0.8 ? [{ uuid: company, label: "" }] : [] }]]),
  };
}

function valuesOf({ group, users, companies, deals }: Surroundings, random: () => number): ChangedValue[] {
  const fields = new Map((group.fields.get("person") ?? []).map((field) => [field.name, field]));
  const one = (list: Uuid[]): Uuid => pick(list, Math.floor(random() * list.length));
  const optionOf = (field: FieldDefinition | undefined, i: number): string => field?.options[i % 10]?.uuid ?? "";
  const stored: [name: string, value: string | string[]][] = [
    ["Note", sentence(random, 5)],
    ["Score", (random() * 10_000).toFixed(2).replace(/\.?0+$/, "")],
    ["Renewal", day(2020, 3650 * random())],
    ["Stage", optionOf(fields.get("Stage"), stageOf(random() * 100))],
  ];
  const tag = Math.floor(random() * 10);
  if (random() < 0.5) stored.push(["Tags", [optionOf(fields.get("Tags"), tag), optionOf(fields.get("Tags"), tag + 3)]]);
  if (random() < 0.5) stored.push(["Owner", [one(users)]]);
  if (random() < 0.2) stored.push(["Contact", [toId("company", one(companies))]]);
  if (random() < 0.05) stored.push(["Deal", [toId("object", one(deals))]]);
  return stored.flatMap(([name, value]) => {
    const field = fields.get(name);
    return field ? [{ groupId: group.uuid, fieldId: field.uuid, stored: value }] : [];
  });
}

function stageOf(percent: number): number {
  let sum = 0;
  return STAGES.findIndex((share) => {
    sum += share;
    return percent < sum;
  });
}

function planOf(resource: RecordType, uuid: Uuid, sent: Record<string, unknown>, memberships: Membership[] = []): Plan {
  const unset = resource.columns.map(({ name, storage }) => [name, storage.unset]);
  const columns = { ...Object.fromEntries(unset), ...sent };
  const scope: Scope = { entity: "person", home: null };
  return {
    uuid,
    isNew: true,
    current: null,
    scope,
    columns,
    memberships,
    addedGroups: memberships.map(({ groupId }) => groupId),
    removedGroups: [],
    warnings: [],
    changedValues: [],
    links: new Map(),
  };
}

function sentence(random: () => number, words: number): string {
  return Array.from({ length: words }, () => word(Math.floor(random() * 20_000)).toLowerCase()).join(" ");
}

function day(year: number, days: number): string {
  return new Date(Date.UTC(year, 0, 1 + Math.floor(days))).toISOString().slice(0, 10);
}
