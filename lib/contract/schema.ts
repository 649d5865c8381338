import { type SchemaOptions, type Static, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { type IdKind, idLength, PREFIXES } from "../values/ids.ts";

// The one door to TypeBox, so that moving to another version of it changes one file.
export { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";

/** An object without further properties. gaps 1, "Common to all": bodies are closed objects. */
export function closed<Properties extends TProperties>(properties: Properties, options: SchemaOptions = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** A schema that takes null too, as one type list: an `anyOf` would tell one mistake as several issues. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  const types = [schema.type as string | string[]].flat();
  const values = schema.enum as unknown[] | undefined;
  return Type.Unsafe<Static<Schema> | null>({
    ...schema,
    type: [...types, "null"],
    ...(values && { enum: [...values, null] }),
  });
}

/** One of a few texts. */
export function oneOf<const Value extends string>(values: readonly Value[], options: SchemaOptions = {}) {
  return Type.Unsafe<Value>({ type: "string", enum: [...values], ...options });
}

/** Exactly one branch is judged, chosen by a member's value, so that one mistake is one issue. The branches require the member. */
export function byTag(tag: string, branches: TSchema[], title?: string): TSchema {
  return Type.Unsafe({
    type: "object",
    discriminator: { propertyName: tag },
    oneOf: branches,
    ...(title !== undefined && { title }),
  });
}

/** Text of a client: any valid Unicode without NUL, up to a number of UTF-16 units. */
export function plainText(max: number, options: SchemaOptions = {}) {
  return Type.String({ maxLength: max, plainText: true, ...options });
}

/** A name: outer white space is trimmed before its limits count. gaps 2, "Text". */
export function trimmedName(max: number, options: SchemaOptions = {}) {
  return Type.String({ plainText: true, trimmedLength: { min: 1, max }, ...options });
}

/** An identifier in a body or a path. Its kind is judged later: 40 characters that are no id of the kind name nothing. */
export function idSchema(kind: IdKind | "contact") {
  const prefix = kind === "contact" ? "per_ or com_" : `${PREFIXES[kind]}_`;
  const length = idLength(kind === "contact" ? "person" : kind);
  return Type.String({ minLength: length, maxLength: length, plainText: false, description: `${prefix} and a uuid` });
}

/** `{ id }`. */
export function reference(kind: IdKind | "contact") {
  return closed({ id: idSchema(kind) });
}

/** An instant as it goes out: UTC with milliseconds and Z. */
export const timestampSchema = Type.String({ format: "date-time", example: "2026-03-01T09:30:00.000Z" });

/** A User as records show it. API document, "User". */
export const userSchema = Type.Object(
  { id: idSchema("user"), fullName: Type.String(), email: Type.String() },
  { title: "User" },
);
