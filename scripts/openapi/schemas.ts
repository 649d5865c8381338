import type { TSchema } from "../../lib/schema.ts";

/** JSON Schema as it stands in the document. */
export type Schema = { [keyword: string]: unknown };

/** What a schema is for: requests are refused for unknown members, answers may get new ones at any time. */
export type Purpose = "request" | "answer";

export interface Schemas {
  /** Our schema as the document has it; schemas with a title become components and leave a reference. */
  translate(schema: TSchema, purpose: Purpose): Schema;
  components(): Record<string, Schema>;
}

const KEPT = new Set(
  "type enum const default description pattern required minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems uniqueItems minProperties maxProperties deprecated readOnly writeOnly".split(" "),
);
const FORMATS = new Set(["date", "date-time", "uri", "uuid", "email"]);

/** Formats of ours → standard keywords. */
const OWN_FORMATS: Record<string, Schema> = {
  "date-or-empty": { pattern: "^(\\d{4}-\\d{2}-\\d{2})?$", description: "A date YYYY-MM-DD. An empty text clears it, as null does" },
  currency: { pattern: "^[A-Z]{3}$", description: "Currency code of ISO 4217" },
  color: { pattern: "^#[0-9a-fA-F]{6}$" },
};

/** Keywords of ours (lib/validate.ts) → standard ones, and words for what those cannot say. */
const OWN_KEYWORDS: Record<string, (argument: never, schema: Schema) => Schema> = {
  plainText: () => ({}),
  discriminator: () => ({}),
  example: (value: unknown) => ({ examples: [value] }),
  format: (name: string) => (FORMATS.has(name) ? { format: name } : OWN_FORMATS[name] ?? unknown(`format ${name}`)),
  trimmedLength: ({ min, max }: { min: number; max: number }) => ({ minLength: min, maxLength: max, description: "White space at both ends is removed" }),
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
  exactlyOneOf: (names: string[]) => ({ oneOf: names.map((name) => ({ required: [name] })) }),
};

/** Collects components while schemas are translated. Fails on keywords that it does not know, so that none of ours slips out. */
export function createSchemas(): Schemas {
  const components = new Map<string, Schema>();

  function translate(schema: Schema, purpose: Purpose): Schema {
    const { title, ...rest } = schema;
    if (typeof title !== "string") return plain(schema, purpose);
    const types = [rest.type].flat();
    if (!types.includes("null")) return component(title, rest, purpose);
    const others = types.filter((type) => type !== "null");
    return { anyOf: [component(title, { ...rest, type: others.length === 1 ? others[0] : others }, purpose), { type: "null" }] };
  }

  function component(title: string, schema: Schema, purpose: Purpose): Schema {
    const translated = plain(schema, purpose);
    const known = components.get(title);
    if (known && JSON.stringify(known) !== JSON.stringify(translated)) throw new Error(`Two different schemas have the title ${title}`);
    components.set(title, translated);
    return { $ref: `#/components/schemas/${title}` };
  }

  function plain(schema: Schema, purpose: Purpose): Schema {
    const result: Schema = {};
    for (const [keyword, value] of Object.entries(schema)) {
      for (const [name, made] of Object.entries(translateKeyword(keyword, value, schema, purpose))) {
        result[name] = name === "description" && typeof result[name] === "string" ? `${result[name]}. ${made}` : made;
      }
    }
    return result;
  }

  function translateKeyword(keyword: string, value: unknown, schema: Schema, purpose: Purpose): Schema {
    const inside = (one: unknown) => (typeof one === "object" && one !== null ? translate(one as Schema, purpose) : one);
    const entries = () => Object.fromEntries(Object.entries(value as Schema).map(([name, one]) => [name, inside(one)]));
    switch (keyword) {
      case "properties":
        return { properties: entries() };
      case "patternProperties":
        // TypeBox writes a map of any names so.
        return { additionalProperties: Object.values(entries())[0] };
      case "additionalProperties":
        return value === false && purpose === "answer" ? {} : { additionalProperties: inside(value) };
      case "items":
        return { items: inside(value) };
      case "anyOf":
      case "oneOf":
      case "allOf":
        return { [keyword]: (value as unknown[]).map(inside) };
      default:
        if (KEPT.has(keyword)) return { [keyword]: value };
        return (OWN_KEYWORDS[keyword] ?? unknown(`keyword ${keyword}`))(value as never, schema);
    }
  }

  const sorted = () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { translate: (schema, purpose) => translate(schema as Schema, purpose), components: sorted };
}

function unknown(what: string): never {
  throw new Error(`The document has no words for the ${what}: add it to scripts/openapi/schemas.ts`);
}
