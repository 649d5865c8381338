import type { TSchema } from "../../base/contract/schema.ts";
import { type IdKind, PREFIXES } from "../../base/values/ids.ts";
import { EXAMPLE_REQUEST_ID, EXAMPLE_TIME, exampleId } from "./scenario/ids.ts";
import type { Schema } from "./schemas.ts";

const SUBSCRIBED = { eventType: "person.updated", filter: { path: ["jobTitle"], value: "Analyst" } };
const CUSTOM_VALUES = { Status: "Lead" };

/** Examples of members whose schema has none: the name of the member → a value. */
const WORDS: Record<string, unknown> = {
  color: "#5738ff",
  gender: "Female",
  role: "contributor",
};

const UPSERTED_PERSON = { emails: ["ada@example.com"], firstName: "Ada", lastName: "Lovelace", jobTitle: "Engineer" };
const UPSERTED_COMPANY = { name: "Difference Engines", emails: ["info@example.com"], industry: "Software" };
const UPSERTED_OBJECT = { name: "Difference engine", customFieldValues: CUSTOM_VALUES };

/** Which fields a filter has depends on the kind of record; these two belong to all kinds. */
const FILTER = { createdAt: { gt: "2026-01-01" }, createdBy: { in: { email: ["ada@example.com"] } } };

/** Schemas for which an example with every member would be misleading: title of the schema → a realistic example. */
const WHOLE: Record<string, unknown> = {
  GroupCreate: { name: "Customers", visibility: "private" },
  CustomFieldCreate: { name: "Stage", type: "singleSelect", options: [{ label: "Won", color: "#20cea9" }] },
  CustomFieldUpdate: { name: "State", addOptions: [{ label: "Former", color: "#f09133" }] },
  PersonUpdate: {
    jobTitle: "Engineer",
    emails: ["ada@example.com"],
    customFieldValues: { [exampleId("group")]: { Status: "Customer" } },
  },
  CompanyUpdate: { industry: "Software", employeeRange: "11-50", urls: ["https://example.com"] },
  // An id is there only where a match key names it.
  PersonUpsertRecord: UPSERTED_PERSON,
  BatchPersonUpsertRecord: UPSERTED_PERSON,
  CompanyUpsertRecord: UPSERTED_COMPANY,
  BatchCompanyUpsertRecord: UPSERTED_COMPANY,
  ObjectUpsertRecord: UPSERTED_OBJECT,
  BatchObjectUpsertRecord: UPSERTED_OBJECT,
  UndoRequest: { requestId: EXAMPLE_REQUEST_ID },
  Search: { combinator: "and", filter: FILTER },
  Aggregate: { combinator: "and", filter: FILTER, groupBy: ["createdAt:month"], measures: ["count", "max:createdAt"] },
  ObjectUpdate: { name: "Analytical engine", customFieldValues: { Status: "Customer" } },
  // Which members a filter may have depends on the type of the event.
  SubscribedEventInput: SUBSCRIBED,
  Transaction: {
    operations: [
      { method: "POST", path: "/v1/companies", body: { name: "Analytical Engines" }, ref: "company" },
      { method: "POST", path: "/v1/people", body: { firstName: "Mary", companies: [{ id: "$company" }] } },
    ],
  },
  WebhookUpdate: { name: "Engineers to the newsletter", subscribedEvents: [SUBSCRIBED], status: "active" },
};

/** Makes an example of the schema of a body: one with every member that a client may send. */
export type MakeExample = (schema: TSchema) => unknown;

/**
 * Gives a function that makes examples for the operations of one chapter. A value is the example of its own schema, or
 * else that of a member of the same name in `schemas`.
 */
export function exampleMaker(schemas: TSchema[]): MakeExample {
  const known = new Map<string, unknown>(Object.entries(WORDS));
  for (const schema of schemas) collectExamples(schema as Schema, known);

  function make(schema: Schema, name = ""): unknown {
    if (typeof schema.title === "string" && schema.title in WHOLE) return WHOLE[schema.title];
    const [branch] = branches(schema);
    if (branch) return make({ ...schema, ...branch, anyOf: undefined, oneOf: undefined }, name);
    const candidates = [
      idIn(schema),
      schema.example,
      known.get(name),
      schema.const,
      schema.default,
      (schema.enum as unknown[] | undefined)?.[0],
    ];
    const found = candidates.find((value) => value !== undefined && fits(schema, value));
    return found ?? byType(schema, name);
  }

  function byType(schema: Schema, name: string): unknown {
    switch (typeOf(schema)) {
      case "object":
        return objectOf(schema);
      case "array":
        return [make(schema.items as Schema, name)];
      case "integer":
      case "number":
        return schema.minimum ?? 3;
      case "boolean":
        return true;
      default:
        return text(schema);
    }
  }

  function objectOf(schema: Schema): unknown {
    const alternatives = (schema.exactlyOneOf ?? []) as string[];
    const members = Object.entries((schema.properties ?? {}) as Record<string, Schema>).filter(
      ([name, { deprecated }]) => !deprecated && (!alternatives.includes(name) || name === alternatives[0]),
    );
    if (members.length > 0) return Object.fromEntries(members.map(([name, one]) => [name, make(one, name)]));
    const values = valuesSchema(schema);
    if (values?.documentedAs === "CustomFieldValue") return CUSTOM_VALUES;
    return values && typeOf(values) === "object" ? { [exampleId("group")]: make(values) } : {};
  }

  return (schema) => make(schema as Schema);
}

/**
 * A body without the members that name other records, which have other ids on every server. Undefined when the body
 * names none, when nothing would be left of it, and when a required member would be missing.
 */
export function withoutReferences(body: unknown, required: string[] = []): unknown {
  if (typeof body !== "object" || body === null) return undefined;
  const members = Object.entries(body);
  const kept = members.filter(([name, value]) => name !== "customFieldValues" && !namesRecord(value));
  const isComplete = required.every((name) => kept.some(([other]) => other === name));
  return isComplete && kept.length > 0 && kept.length < members.length ? Object.fromEntries(kept) : undefined;
}

function namesRecord(value: unknown): boolean {
  return Object.keys(PREFIXES).some((kind) => JSON.stringify(value).includes(exampleId(kind as IdKind).slice(0, -2)));
}

/**
 * Notes in `known`, by the name of the member, the first example that a schema has for it, in the place of that in
 * WORDS.
 */
function collectExamples(schema: Schema, known: Map<string, unknown>): void {
  for (const [name, one] of Object.entries((schema.properties ?? {}) as Record<string, Schema>)) {
    if (one.example !== undefined && !(known.has(name) && known.get(name) !== WORDS[name]))
      known.set(name, one.example);
    // The schema of a batch takes any custom values, since these are judged record by record, so the example comes from
    // another schema with such values.
    const values = valuesSchema(one);
    if (values?.example !== undefined && !known.has(name)) known.set(name, { [exampleId("group")]: values.example });
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
 * True if a value of another member with the same name can be an example here. Only type, words and length are checked,
 * because the test of the document sends all examples to a server.
 */
function fits(schema: Schema, value: unknown): boolean {
  const type = Array.isArray(value) ? "array" : typeof value;
  const types = [schema.type].flat();
  if (schema.type !== undefined && !types.includes(type) && !(type === "number" && types.includes("integer")))
    return false;
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return false;
  return typeof value !== "string" || value.length <= ((schema.maxLength as number | undefined) ?? value.length);
}

/** The first thing of the kind that the schema of an id names; undefined for other schemas. */
function idIn({ description, minLength, maxLength }: Schema): string | undefined {
  const prefix = /^([a-z]+)_/.exec(String(description ?? ""))?.[1];
  const kind = Object.entries(PREFIXES).find(([, one]) => one === prefix)?.[0];
  return kind && minLength !== undefined && minLength === maxLength ? exampleId(kind as IdKind) : undefined;
}

function text({ format }: Schema): string {
  if (format === "date") return EXAMPLE_TIME.slice(0, 10);
  if (format === "date-time") return EXAMPLE_TIME;
  return format === "uri" ? "https://example.com" : "text";
}
