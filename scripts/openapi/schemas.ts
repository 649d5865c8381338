import type { TSchema } from "../../base/contract/schema.ts";
import { RULE_LINES } from "../../base/schedules/rule.ts";
import { ACTIVITY_TYPES } from "../../base/values/activity-types.ts";
import { documentedSchema } from "../../model/custom-fields/documented.ts";

/** A JSON Schema as it stands in the OpenAPI document. */
export type Schema = { [keyword: string]: unknown };

/** Purpose of a schema: requests are refused for unknown members, answers may get new ones at any time. */
export type Purpose = "request" | "answer";

export interface Schemas {
  /**
   * Our schema as the document has it. A schema with a title becomes a component, with a reference in its place.
   * `owner` is put before a title that several different schemas have: PersonMerge.
   */
  translate(schema: TSchema, purpose: Purpose, owner: string): Schema;
  components(): Record<string, Schema>;
}

const KEPT = new Set(
  "type enum const default description pattern required minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems uniqueItems minProperties maxProperties deprecated readOnly writeOnly".split(
    " ",
  ),
);
const FORMATS = new Set(["date", "date-time", "uri", "uuid", "email"]);

/** Our own formats → the keywords of JSON Schema in their place. */
const OWN_FORMATS: Record<string, Schema> = {
  "date-or-empty": {
    pattern: "^(\\d{4}-\\d{2}-\\d{2})?$",
    description: "A date YYYY-MM-DD. An empty text clears it, as null does",
  },
  timestamp: { format: "date-time", description: "A timestamp; without a zone it is UTC" },
  "timestamp-or-date": { description: "A timestamp, or a date, which is its start in UTC" },
  "time-of-day": { pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", description: "A time of day HH:mm" },
  currency: { pattern: "^[A-Z]{3}$", description: "Currency code of ISO 4217" },
  color: { pattern: "^#[0-9a-fA-F]{6}$" },
};

/**
 * Our own keywords (base/contract/validate.ts) → those of JSON Schema in their place, with words for what these cannot
 * say.
 */
const OWN_KEYWORDS: Record<string, (argument: never, schema: Schema) => Schema> = {
  plainText: () => ({}),
  discriminator: () => ({}),
  inlineTitle: (title: string) => ({ title }),
  component: (name: string) => ({ $ref: `#/components/schemas/${name}` }),
  example: (value: unknown) => ({ examples: [value] }),
  format: (name: string) => (FORMATS.has(name) ? { format: name } : (OWN_FORMATS[name] ?? unknown(`format ${name}`))),
  trimmedLength: ({ min, max }: { min: number; max: number }) => ({
    minLength: min,
    maxLength: max,
    description: "White space at both ends is removed",
  }),
  charactersMax: () => ({}),
  decimal: ({ min, maxLength }: { min?: number; maxLength?: number }) => ({
    ...(min !== undefined && { minimum: min }),
    ...(maxLength !== undefined && { maxLength }),
    description: "A number or a numeric text of at most 38 digits, 10 of them after the point",
  }),
  wholeNumber: ({ min, max }: { min: number; max: number }, { type }: Schema) => ({
    type: [type].flat().map((name) => (name === "number" ? "integer" : name)),
    minimum: min,
    maximum: max,
    pattern: "^[0-9]+$",
    description: `A whole number from ${min} to ${max}, or its digits as a text`,
  }),
  activityType: () => ({ description: `An emoji, or one of: ${ACTIVITY_TYPES.join(", ")}` }),
  recurrenceRule: () => ({
    description: `A line \`DTSTART;TZID=<zone>:<YYYYMMDD>T<HHMMSS>\`, a newline, and one of: ${RULE_LINES.join(", ")}`,
  }),
  webAddress: () => ({
    format: "uri",
    description: "An absolute URL of http or https, without user, password and fragment",
  }),
  eitherMember: (names: string[], { properties, required = [] }: Schema) => {
    const least = (required as string[]).length + 1;
    // The number of members does not tell if there are other optional members.
    const tells = Object.keys(properties ?? {}).length === least - 1 + names.length;
    return { ...(tells && { minProperties: least }), description: `One of ${names.join(" and ")} is required` };
  },
  isBracketed: () => ({}),
  emptyIsNone: () => ({ description: "An empty value means none of them" }),
  apartFromCursor: () => ({}),
  header: () => ({}),
  filterOf: (one: string) => ({ $ref: `#/components/schemas/${one}Filter` }),
  // A choice between required members has no class in many languages. The object is closed and has no other members.
  exactlyOneOf: (names: string[], { properties }: Schema) => ({
    minProperties: 1,
    maxProperties:
      names.length === Object.keys(properties ?? {}).length ? 1 : unknown("exactlyOneOf beside other members"),
    description: `Exactly one of ${names.join(" and ")}`,
  }),
  namesUser: () => ({
    anyOf: [{ required: ["id"] }, { required: ["email"] }],
    description: "One of id and email, or a user as answers show them, unchanged",
  }),
};

/** The schema that stands in the document in the place of one that judges less than it says. */
function documented({ documentedAs, documentedBy }: Schema): Schema | undefined {
  return (typeof documentedAs === "string" ? documentedSchema(documentedAs) : documentedBy) as Schema | undefined;
}

const NULL: Schema = { type: "null" };

/** Purpose and place of a schema that is translated. */
interface Place {
  purpose: Purpose;
  owner: string;
}

/**
 * Translates schemas, and collects their components.
 * @param all the schemas that are going to be translated, among which titles are compared
 * @throws Error, when it translates, for a keyword that it does not know, so that none of our own ends up in the
 *   document
 */
export function createSchemas(all: TSchema[]): Schemas {
  const components = new Map<string, Schema>();
  const ambiguous = ambiguousTitles(all as Schema[]);

  function translate(schema: Schema, place: Place): Schema {
    const instead = documented(schema);
    if (instead) return translate(instead, place);
    const { title, ...rest } = schema;
    if (typeof title !== "string") return takesNull(schema) ? nullableEnum(schema, place) : plain(schema, place);
    const name = componentName(ambiguous.has(title) ? `${place.owner}${title}` : title);
    const reference = component(name, withoutNull(rest), place);
    return [rest.type].flat().includes("null") ? { oneOf: [reference, NULL] } : reference;
  }

  function component(title: string, schema: Schema, place: Place): Schema {
    const translated = plain(schema, place);
    const known = components.get(title);
    if (known && JSON.stringify(known) !== JSON.stringify(translated))
      throw new Error(`Two different schemas have the title ${title}`);
    components.set(title, translated);
    return { $ref: `#/components/schemas/${title}` };
  }

  function plain(schema: Schema, place: Place): Schema {
    const result: Schema = {};
    for (const [keyword, value] of Object.entries(schema)) {
      for (const [name, made] of Object.entries(translateKeyword(keyword, value, schema, place))) {
        result[name] = name === "description" && typeof result[name] === "string" ? `${result[name]}. ${made}` : made;
      }
    }
    return result;
  }

  /**
   * Generators make a class of an enum. With null among its values many of them make a value "null", or two classes.
   */
  function nullableEnum(schema: Schema, place: Place): Schema {
    const { type, enum: values, ...about } = withoutNull(schema);
    return { ...plain(about, place), oneOf: [{ type, enum: values }, NULL] };
  }

  function translateKeyword(keyword: string, value: unknown, schema: Schema, place: Place): Schema {
    const inside = (one: unknown) => (typeof one === "object" && one !== null ? translate(one as Schema, place) : one);
    const entries = () => Object.fromEntries(Object.entries(value as Schema).map(([name, one]) => [name, inside(one)]));
    switch (keyword) {
      case "properties":
        return { properties: entries() };
      case "patternProperties":
        // This is how TypeBox writes an object that takes any names.
        return { additionalProperties: Object.values(entries())[0] };
      case "additionalProperties":
        return value === false && place.purpose === "answer" ? {} : { additionalProperties: inside(value) };
      case "items":
        return { items: inside(value) };
      case "anyOf":
      case "oneOf":
      case "allOf":
        return { [keyword]: nullWithin((value as unknown[]).map(inside) as Schema[]) };
      default:
        if (KEPT.has(keyword)) return { [keyword]: value };
        return (OWN_KEYWORDS[keyword] ?? unknown(`keyword ${keyword}`))(value as never, schema);
    }
  }

  const sorted = () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { translate: (schema, purpose, owner) => translate(schema as Schema, { purpose, owner }), components: sorted };
}

/**
 * The name of a component. Generators of clients make types of these names, and most languages have a type Object
 * already, so the schemas of objects are named after their most frequent type, deals, as their operations are.
 */
function componentName(title: string): string {
  return title.replace(/Object(?=$|Create$|Update$)/, "Deal");
}

/** Titles that several different schemas have. */
function ambiguousTitles(all: Schema[]): Set<string> {
  const contents = new Map<string, Set<string>>();
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { title, ...rest } = value as Schema;
    if (typeof title === "string")
      contents.set(title, (contents.get(title) ?? new Set()).add(JSON.stringify(withoutNull(rest))));
    Object.values(value).forEach(walk);
  };
  all.forEach(walk);
  return new Set([...contents].filter(([, different]) => different.size > 1).map(([title]) => title));
}

/** Whether this is an enum with null among its values. */
function takesNull({ enum: values }: Schema): boolean {
  return Array.isArray(values) && values.includes(null);
}

/** The schema without null: a reference to the component says itself whether null is taken there. */
function withoutNull(schema: Schema): Schema {
  const types = [schema.type].flat();
  if (!types.includes("null")) return schema;
  const others = types.filter((type) => type !== "null");
  return {
    ...schema,
    type: others.length === 1 ? others[0] : others,
    ...(Array.isArray(schema.enum) && { enum: schema.enum.filter((value) => value !== null) }),
  };
}

function unknown(what: string): never {
  throw new Error(`The document has no words for the ${what}: add it to scripts/openapi/schemas.ts`);
}

/**
 * A choice that takes null, with null as one more type of a branch that has no other rule for it: fewer generators know
 * a branch of null.
 */
function nullWithin(branches: Schema[]): Schema[] {
  const others = branches.filter(({ type }) => type !== "null");
  const at = others.findIndex(({ type, enum: values }) => typeof type === "string" && values === undefined);
  if (others.length === branches.length || at < 0) return branches;
  return others.map((branch, i) => (i === at ? { ...branch, type: [branch.type, "null"] } : branch));
}
