import { randomBytes } from "node:crypto";

/** JSON Schema, as far as the product uses it. */
export interface Schema {
  type?: string | string[];
  enum?: (string | null)[];
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  oneOf?: Schema[];
  discriminator?: { propertyName: string };
  description?: string;
  plainText?: boolean;
  trimmedLength?: { min: number; max: number };
  decimal?: { min?: number; maxLength?: number };
  wholeNumber?: { min: number; max: number };
  exactlyOneOf?: string[];
  activityType?: boolean;
  recurrenceRule?: boolean;
  webAddress?: boolean;
  eitherMember?: string[];
  example?: unknown;
  documentedBy?: object;
}

/** Prefix of an id → one that may stand in a body. */
export type Ids = Record<string, string>;

export const typesOf = ({ type = [] }: Schema): string[] => [type].flat();

/** The type that is asked for, null aside; a tagged union is an object. */
export const typeOf = (schema: Schema): string => typesOf(schema).find((type) => type !== "null") ?? "object";

/** What an issue says is expected: the options of a word, a number where a text may stand for it. */
export function expectedOf(schema: Schema): string {
  if (schema.enum) return schema.enum.flatMap((option) => (option === null ? [] : `'${option}'`)).join(" | ");
  return typesOf(schema).includes("number") ? "number" : typeOf(schema);
}

/** Ids are the only texts of one length: 40 characters, 41 for options, whose prefix is longer. */
export const isId = ({ minLength, maxLength }: Schema): boolean => minLength !== undefined && minLength === maxLength;

const FORMATS: Record<string, string> = {
  date: "2024-02-29",
  "date-or-empty": "1990-02-28",
  currency: "USD",
  color: "#5738ff",
  timestamp: "2026-01-15T10:00:00.000Z",
  "timestamp-or-date": "2026-01-01",
  "time-of-day": "09:30",
};

/** A text of this length that nothing else has: names may have to be unique. */
export function text(length: number): string {
  return randomBytes(8).toString("hex").padEnd(length, "x").slice(0, length);
}

/** The least value that fits a schema. */
export function sample(schema: Schema, ids: Ids): unknown {
  if (schema.enum) return schema.enum.find((value) => value !== null);
  // Only the operation looks inside.
  if (schema.documentedBy) return schema.example;
  if (schema.oneOf?.[0]) return sample(schema.oneOf[0], ids);
  switch (typeOf(schema)) {
    case "object":
      return sampleObject(schema, ids);
    case "array":
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}, ids));
    case "string":
      return sampleText(schema, ids);
    default:
      return schema.minimum ?? 1;
  }
}

function sampleObject(
  { properties = {}, required = [], exactlyOneOf = [], eitherMember = [] }: Schema,
  ids: Ids,
): Record<string, unknown> {
  const names = [...required, ...exactlyOneOf.slice(0, 1), ...eitherMember.slice(-1)];
  return Object.fromEntries(names.map((name) => [name, sample(properties[name] ?? {}, ids)]));
}

function sampleText(schema: Schema, ids: Ids): string {
  if (isId(schema)) return idFor(schema, ids);
  if (schema.wholeNumber) return String(schema.wholeNumber.min);
  if (schema.decimal) return "1.5";
  if (schema.activityType) return "meeting";
  if (schema.recurrenceRule) return "DTSTART;TZID=UTC:20300115T090000\nRRULE:COUNT=1";
  if (schema.webAddress) return `https://receiver.invalid/${text(16)}`;
  if (schema.format) {
    const found = FORMATS[schema.format];
    if (found === undefined)
      throw new Error(`Add a text of the format "${schema.format}" to FORMATS in test/contract/schemas.ts.`);
    return found;
  }
  return text(Math.min(16, schema.trimmedLength?.max ?? schema.maxLength ?? 16));
}

/** By the first words of the schema's description: `per_ and a uuid`. */
function idFor({ description = "" }: Schema, ids: Ids): string {
  const prefix = description.split(" ")[0] ?? "";
  const id = ids[prefix];
  if (id === undefined)
    throw new Error(`Add an id with the prefix "${prefix}" to the ids of test/contract/material.ts.`);
  return id;
}
