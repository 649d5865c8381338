import type { TSchema } from "../../base/contract/schema.ts";
import { ACTIVITY_TYPES } from "../../base/values/activity-types.ts";
import type { Schema } from "./schemas.ts";

// Hosts give the schemas of all tools to the model with every question, so each word is paid for. These schemas say
// what a model needs to write a call. The schema that judges the call is longer, and its refusals name what would be
// right.
// docs/guides/assistants.md#the-list-of-tools

/** A schema of ours with the keywords that are read here. */
export interface Own {
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Own>;
  required?: string[];
  items?: Own;
  oneOf?: Own[];
  default?: unknown;
  description?: string;
  format?: string;
  maximum?: number;
  maxItems?: number;
  exactlyOneOf?: string[];
  activityType?: true;
  documentedAs?: string;
  deprecated?: boolean;
  eitherMember?: string[];
}

/** Members whose form depends on the workspace, in words and by one example. */
const IN_WORDS: Record<string, string> = {
  CustomFieldValuesInput: "Field → value, {Status: Lead}",
  CustomFieldValuesByGroupInput: "groupId → field → value, {grp_…: {Status: Lead}}",
};

/** Our own formats → their description for a model. */
const FORMATS: Record<string, Schema> = {
  date: { format: "date" },
  "date-or-empty": { format: "date" },
  timestamp: { format: "date-time" },
  "timestamp-or-date": { format: "date-time" },
  "time-of-day": { description: "HH:mm" },
  currency: { description: "ISO 4217" },
  color: { description: "#rrggbb" },
};

/**
 * The schema of the arguments of a tool as it is listed: one closed object, without references and without a choice at
 * its top, which several models do not take.
 * @param clears whether null clears a value, so that the schema says where null fits
 */
export function briefSchema(schema: TSchema, clears: boolean): Schema {
  return { ...brief(merged(schema as Own), clears), additionalProperties: false };
}

/** A schema inside that of a tool. */
export function brief(schema: Own, clears: boolean): Schema {
  const { documentedAs, oneOf } = schema;
  const words = documentedAs === undefined ? undefined : IN_WORDS[documentedAs];
  if (words !== undefined) return { type: "object", description: words };
  if (oneOf) return brief(merged(schema), clears);
  const types = [schema.type ?? []].flat();
  const type = types.includes("number") ? "number" : types.find((one) => one !== "null");
  const about = aboutOf(schema);
  const form: Schema = { type, ...formOf(schema, clears) };
  return clears && types.includes("null") ? { anyOf: [form, { type: "null" }], ...about } : { ...form, ...about };
}

function formOf({ enum: values, properties, required = [], items, format, maximum }: Own, clears: boolean): Schema {
  const known = Object.entries(properties ?? {}).filter(([, member]) => !member.deprecated);
  return {
    ...(values && { enum: values.filter((value) => value !== null) }),
    ...(properties && {
      properties: Object.fromEntries(known.map(([name, member]) => [name, brief(worded(name, member), clears)])),
    }),
    ...(required.length > 0 && !isReference(known) && { required }),
    ...(items && { items: brief(items, clears) }),
    ...FORMATS[format ?? ""],
    ...(maximum !== undefined && { maximum }),
  };
}

/** True for an object that is only `{ id }`. It makes no sense without the id, so the schema need not require it. */
function isReference(members: readonly [string, unknown][]): boolean {
  return members.length === 1 && members[0]?.[0] === "id";
}

/**
 * Argument → its description in the list of tools; undefined if name and type are enough. Others have the description
 * of their schema.
 */
const WORDS: Record<string, string | undefined> = {
  limit: undefined,
  combinator: undefined,
  timeframe: undefined,
  onlyAssignedToMe: undefined,
  createdAfter: undefined,
  createdBefore: undefined,
  visibility: undefined,
  objectType: undefined,
  cursor: undefined,
  dryRun: undefined,
  since: undefined,
  until: undefined,
  q: undefined,
  types: undefined,
  match: "Keys that find it, in order: emails, name…",
  groupBy: "Fields; of dates createdAt:day, :week, :month, :quarter, :year",
  measures: "count, sum:FIELD, avg:, min:, max:",
  query: "Words, or their beginnings",
  entityType: "person, company or an object type",
};

function worded(name: string, { description: own, ...member }: Own): Own {
  const description = Object.hasOwn(WORDS, name) && !(member.enum && WORDS[name]) ? WORDS[name] : own;
  return description === undefined ? member : { ...member, description };
}

/** The words of an id of one kind. The name of its argument tells the kind. */
const ONE_ID = /^[a-z]{3}_( and a uuid)?$/;

function aboutOf({ description, default: usual, activityType, exactlyOneOf }: Own): Schema {
  const words = [
    description?.replace(ONE_ID, "").replaceAll(/_( and a uuid)?(?= |$)/g, "_…"),
    activityType && `${ACTIVITY_TYPES.join(", ")}, or an emoji`,
    exactlyOneOf?.join(" or "),
  ].filter((one) => typeof one === "string" && one !== "");
  return {
    ...(words.length > 0 && { description: words.join(". ") }),
    // Everybody expects the other defaults: no further condition, a page of usual length, conditions that all hold.
    ...(usual === true && { default: usual }),
  };
}

/** One object instead of several forms: it has the members of all forms, and requires those that all forms require. */
function merged(schema: Own): Own {
  const { oneOf: forms, eitherMember: [, current] = [], ...whole } = schema;
  const { required = [] } = whole;
  if (!forms) return current === undefined ? whole : { ...whole, required: [...required, current] };
  const names = [...new Set(forms.flatMap(({ properties }) => Object.keys(properties ?? {})))];
  const members = names.map((name) => [
    name,
    either(forms.flatMap(({ properties: { [name]: one } = {} }) => one ?? [])),
  ]);
  return {
    type: "object",
    properties: Object.fromEntries(members),
    required: names.filter((name) => forms.every((form) => form.required?.includes(name))),
  };
}

/** One schema in the place of several for the same member. */
function either(schemas: Own[]): Own {
  const [first = {}] = schemas;
  if (schemas.every(({ properties }) => properties)) return merged({ oneOf: schemas });
  if (schemas.some(({ oneOf }) => oneOf)) return merged({ oneOf: schemas.flatMap((one) => one.oneOf ?? one) });
  return schemas.every(({ enum: values }) => values)
    ? { ...first, enum: [...new Set(schemas.flatMap(({ enum: values = [] }) => values))] }
    : first;
}
