import type { TSchema } from "../../lib/contract/schema.ts";
import { NOBODYS_URL } from "../../services/gateway/docs/document.ts";
import type { Purpose, Schema } from "./schemas.ts";

export const EXAMPLE_UUID = "01985b3e-7c1a-7f3e-9d52-3f6a1b8c4e70";
const EXAMPLE_GROUP = `grp_${EXAMPLE_UUID}`;
const SUBSCRIBED = { eventType: "person.updated", filter: { path: ["jobTitle"], value: "Analyst" } };
const CUSTOM_VALUES = { Status: "Lead" };

/**
 * Examples of members and parameters whose schema has none: the name of the member → a value. `groups.name` is the member
 * `name` of the entries of a list `groups`.
 */
const WORDS: Record<string, unknown> = {
  "groups.name": "Sales",
  "companies.name": "Analytical Engines",
  fullName: "Ada Lovelace",
  email: "ada@example.com",
  name: "Analytical Engines",
  label: "Lead",
  color: "#5738ff",
  currency: "USD",
  gender: "Female",
  role: "contributor",
  lastFundingDate: "2026-01-15",
  entityType: "person",
  objectType: "Deals",
  customFieldName: "Status",
  code: "NOT_FOUND",
  message: `There is no person with the id per_${EXAMPLE_UUID}.`,
  documentationUrl: `${NOBODYS_URL}/docs/errors#not-found`,
};

/** Schemas of which an example with every member would mislead: title of the schema → what a client may really send or get. */
const WHOLE: Record<string, unknown> = {
  CustomField: {
    name: "Status",
    type: "singleSelect",
    options: [{ id: `gcfo_${EXAMPLE_UUID}`, label: "Lead", color: "#5738ff" }],
  },
  // By its name this member would get the example of the name of an object.
  ObjectType: { name: "Deals" },
  CustomFieldUpdate: { name: "Stage", addOptions: [{ label: "Won", color: "#20cea9" }] },
  PersonUpdate: {
    jobTitle: "Analyst",
    emails: ["ada@example.com"],
    customFieldValues: { [EXAMPLE_GROUP]: CUSTOM_VALUES },
  },
  CompanyUpdate: { industry: "Software", employeeRange: "11-50", urls: ["https://example.com"] },
  // Which fields a search has depends on the kind of record; these two belong to all kinds.
  Search: {
    combinator: "and",
    filter: { createdAt: { gt: "2026-01-01" }, createdBy: { in: { email: ["ada@example.com"] } } },
  },
  ObjectUpdate: { name: "Difference engine", customFieldValues: CUSTOM_VALUES },
  Credits: { remaining: 99, used: 1, renewsAt: null },
  // Which members a filter may have depends on the type of the event.
  SubscribedEvent: SUBSCRIBED,
  SubscribedEventInput: SUBSCRIBED,
  // By its name this member would get the name of a company.
  WebhookUpdate: { name: "New people to the newsletter", subscribedEvents: [SUBSCRIBED], status: "active" },
  Delivery: {
    id: `dlv_${EXAMPLE_UUID}`,
    eventId: `evt_${EXAMPLE_UUID}`,
    eventType: "person.updated",
    recordId: `per_${EXAMPLE_UUID}`,
    status: "succeeded",
    attempts: [
      { at: "2026-03-01T09:30:00.120Z", responseStatus: 200, error: null, durationMs: 84, responseBody: "ok" },
    ],
    nextAttemptAt: null,
    createdAt: "2026-03-01T09:30:00.000Z",
  },
  // One that has both a result and an error does not exist.
  Enrichment: {
    id: `enr_${EXAMPLE_UUID}`,
    entity: { id: `per_${EXAMPLE_UUID}`, entityType: "person", fullName: "Ada Lovelace" },
    status: "completed",
    creditsUsed: 1,
    result: { addedFields: ["jobTitle", "urls"] },
    error: null,
    createdBy: { id: `usr_${EXAMPLE_UUID}`, fullName: "Ada Lovelace", email: "ada@example.com" },
    createdAt: "2026-03-01T09:30:00.000Z",
    finishedAt: "2026-03-01T09:30:01.000Z",
  },
};

/** Makes an example of a schema. The name is given for a parameter, which has no object around it. */
export type MakeExample = (schema: TSchema, purpose: Purpose, name?: string) => unknown;

/**
 * Gives a function that makes examples for the operations of one chapter. A value is the example of its own schema, or else
 * that of a member of the same name in `schemas`. Requests show every member that may be sent, answers those that are always
 * there.
 */
export function exampleMaker(schemas: TSchema[]): MakeExample {
  const known = new Map<string, unknown>(Object.entries(WORDS));
  for (const schema of schemas) collectExamples(schema as Schema, known);

  function make(schema: Schema, purpose: Purpose, name = "", parent = ""): unknown {
    if (typeof schema.title === "string" && schema.title in WHOLE) return WHOLE[schema.title];
    const parts = (schema.allOf ?? []) as Schema[];
    if (parts.length > 0) return Object.assign({}, ...parts.map((part) => make(part, purpose, name, parent)));
    const [branch] = branches(schema);
    if (branch) return make({ ...schema, ...branch, anyOf: undefined, oneOf: undefined }, purpose, name, parent);
    const candidates = [
      schema.example,
      known.get(`${parent}.${name}`),
      known.get(name),
      schema.const,
      schema.default,
      (schema.enum as unknown[] | undefined)?.[0],
    ];
    const found = candidates.find((value) => value !== undefined && fits(schema, value));
    return found ?? byType(schema, purpose, name || parent);
  }

  function byType(schema: Schema, purpose: Purpose, name: string): unknown {
    switch (typeOf(schema)) {
      case "object":
        return objectOf(schema, purpose, name);
      case "array":
        return itemsOf(schema.items as Schema | undefined, purpose, name);
      case "integer":
      case "number":
        return schema.minimum ?? 3;
      case "boolean":
        return true;
      default:
        return text(schema);
    }
  }

  function objectOf(schema: Schema, purpose: Purpose, name: string): unknown {
    const required = (schema.required ?? []) as string[];
    const alternatives = (schema.exactlyOneOf ?? []) as string[];
    const isShown = (member: string) =>
      purpose === "request" ? !alternatives.includes(member) || member === alternatives[0] : required.includes(member);
    const members = Object.entries((schema.properties ?? {}) as Record<string, Schema>).filter(([member]) =>
      isShown(member),
    );
    if (members.length > 0)
      return Object.fromEntries(members.map(([member, one]) => [member, make(one, purpose, member, name)]));
    const values = valuesSchema(schema);
    if (values?.documentedAs === "CustomFieldValue") return CUSTOM_VALUES;
    return values && typeOf(values) === "object" ? { [EXAMPLE_GROUP]: make(values, purpose) } : {};
  }

  /** A list of one entry. Where entries are of several kinds, as in the results of a batch, it has one of each. */
  function itemsOf(items: Schema | undefined, purpose: Purpose, name: string): unknown[] {
    if (!items) return [];
    const kinds = branches(items).filter((kind) => typeOf(kind) === "object");
    return kinds.length > 1 ? kinds.map((kind) => make(kind, purpose, "", name)) : [make(items, purpose, "", name)];
  }

  return (schema, purpose, name) => make(schema as Schema, purpose, name);
}

/**
 * A body without the members that name other records, which have other ids on every server. Undefined when the body names
 * none, when nothing would be left of it, and when a required member would be missing.
 */
export function withoutReferences(body: unknown, required: string[] = []): unknown {
  if (typeof body !== "object" || body === null) return undefined;
  const members = Object.entries(body);
  const kept = members.filter(
    ([name, value]) => name !== "customFieldValues" && !JSON.stringify(value).includes(EXAMPLE_UUID),
  );
  const isComplete = required.every((name) => kept.some(([other]) => other === name));
  return isComplete && kept.length > 0 && kept.length < members.length ? Object.fromEntries(kept) : undefined;
}

/** Notes in `known`, by the name of the member, the first example that a schema has for it, in the place of that in WORDS. */
function collectExamples(schema: Schema, known: Map<string, unknown>): void {
  for (const [name, one] of Object.entries((schema.properties ?? {}) as Record<string, Schema>)) {
    if (one.example !== undefined && !(known.has(name) && known.get(name) !== WORDS[name]))
      known.set(name, one.example);
    // The schema of a batch takes any custom values, since these are judged record by record, so the example comes from another
    // schema with such values.
    const values = valuesSchema(one);
    if (values?.example !== undefined && !known.has(name)) known.set(name, { [EXAMPLE_GROUP]: values.example });
    collectExamples(one, known);
  }
  for (const inner of [...branches(schema), schema.items, valuesSchema(schema)])
    if (inner) collectExamples(inner as Schema, known);
}

function branches(schema: Schema): Schema[] {
  const all = (schema.oneOf ?? schema.anyOf ?? []) as Schema[];
  return all.filter(({ type }) => type !== "null");
}

/** The schema of the values of an object that takes any names; undefined for other schemas. */
function valuesSchema(schema: Schema): Schema | undefined {
  const [pattern] = Object.values((schema.patternProperties ?? {}) as Record<string, Schema>);
  return (
    pattern ?? (typeof schema.additionalProperties === "object" ? (schema.additionalProperties as Schema) : undefined)
  );
}

function typeOf(schema: Schema): unknown {
  return [schema.type].flat().find((type) => type !== "null");
}

/**
 * Whether a value that another member of the same name has can be an example here. Only type, words and length are looked at,
 * because test/scripts/openapi.test.ts checks all examples against their schemas.
 */
function fits(schema: Schema, value: unknown): boolean {
  const type = Array.isArray(value) ? "array" : typeof value;
  const types = [schema.type].flat();
  if (schema.type !== undefined && !types.includes(type) && !(type === "number" && types.includes("integer")))
    return false;
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return false;
  return typeof value !== "string" || value.length <= ((schema.maxLength as number | undefined) ?? value.length);
}

function text({ description, format, minLength, maxLength }: Schema): string {
  const prefix = /^([a-z]+_)/.exec(String(description ?? ""))?.[1];
  if (prefix && minLength === maxLength) return `${prefix}${EXAMPLE_UUID}`;
  if (format === "date") return "2026-03-01";
  if (format === "date-time") return "2026-03-01T09:30:00.000Z";
  if (format === "uri") return "https://example.com";
  return "text";
}
