import { type SchemaOptions, type Static, type TProperties, type TSchema, Type, TypeGuard } from "@sinclair/typebox";
import { EMAIL_LENGTH_MAX } from "../../config/limits.ts";
import { type IdKind, idLength, PREFIXES } from "../values/ids.ts";

// All others import TypeBox from here, so that moving to another version of it changes one file.
export { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";

/** An object that takes no further properties. docs/guides/conventions.md#bodies */
export function closed<Properties extends TProperties>(properties: Properties, options: SchemaOptions = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** Whether a schema is that of a member which may be left out. */
export function isOptional(schema: TSchema): boolean {
  return TypeGuard.IsOptional(schema);
}

/**
 * A schema that takes null too. Null is one more of its types, because `anyOf` would make several issues of one
 * mistake.
 */
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

/**
 * A schema of several branches, of which the value of the member `tag` chooses one. Only that one is judged, so that
 * one mistake is one issue. Every branch has to require the member.
 */
export function byTag(tag: string, branches: TSchema[], title?: string): TSchema {
  return Type.Unsafe({
    type: "object",
    discriminator: { propertyName: tag },
    oneOf: branches,
    ...(title !== undefined && { title }),
  });
}

/** A text of a client: valid Unicode without NUL, up to a number of UTF-16 units. docs/guides/values.md#text */
export function plainText(max: number, options: SchemaOptions = {}) {
  return Type.String({ maxLength: max, plainText: true, ...options });
}

/** A name of 1 to `max` UTF-16 units, without the white space around it. docs/guides/values.md#text */
export function trimmedName(max: number, options: SchemaOptions = {}) {
  return Type.String({ plainText: true, trimmedLength: { min: 1, max }, ...options });
}

/**
 * An id in a body or a path. The schema judges its length alone: what has the length and is no id of the kind names
 * nothing, which is another error. docs/guides/values.md#identifiers
 */
export function idSchema(kind: IdKind | keyof typeof SEVERAL_KINDS) {
  const kinds = kind in SEVERAL_KINDS ? SEVERAL_KINDS[kind as keyof typeof SEVERAL_KINDS] : [kind as IdKind];
  const words = kinds.map((one) => `${PREFIXES[one]}_`).join(" or ");
  const length = idLength(kinds[0] ?? "person");
  return Type.String({ minLength: length, maxLength: length, plainText: false, description: `${words} and a uuid` });
}

/** Words for ids that may be of several kinds. */
const SEVERAL_KINDS = {
  contact: ["person", "company"],
  record: ["person", "company", "object"],
} as const satisfies Record<string, readonly IdKind[]>;

/** Reference to a thing of this kind in a body: `{ id }`. */
export function reference(kind: Parameters<typeof idSchema>[0]) {
  return closed({ id: idSchema(kind) }, { title: `${capitalized(kind)}Reference` });
}

/**
 * A reference in the value of a custom field. It may have further members, which count for nothing, since clients write
 * values back as they have read them. docs/guides/custom-fields.md#values-that-were-read
 */
export function openReference(kind: Parameters<typeof idSchema>[0]) {
  return Type.Object({ id: idSchema(kind) }, { additionalProperties: true, title: `${capitalized(kind)}Reference` });
}

function capitalized(word: string): string {
  return `${word[0]?.toUpperCase()}${word.slice(1)}`;
}

/** An instant as it is answered: UTC with milliseconds and Z. docs/guides/values.md#dates-times-and-time-zones */
export const timestampSchema = Type.String({ format: "date-time", example: "2026-03-01T09:30:00.000Z" });

/** A user as it is answered. docs/guides/access.md#users */
export const userSchema = Type.Object(
  { id: idSchema("user"), fullName: Type.String(), email: Type.String() },
  { title: "User" },
);

/** Reference to a user in a body: by id or by e-mail address. docs/guides/access.md#users */
export function userReference() {
  return closed(
    { id: Type.Optional(idSchema("user")), email: Type.Optional(plainText(EMAIL_LENGTH_MAX)) },
    { exactlyOneOf: ["id", "email"], title: "UserReference" },
  );
}

/** The same in the value of a custom field, where it may also be a user as answers show them. */
export function openUserReference() {
  return Type.Object(
    { id: Type.Optional(idSchema("user")), email: Type.Optional(plainText(EMAIL_LENGTH_MAX)) },
    { additionalProperties: true, namesUser: true, title: "UserReference" },
  );
}

/**
 * Parameters of writes that a request sends in a header. Tools of assistants take `dryRun` among their arguments.
 * docs/guides/preview.md, docs/guides/versions.md
 */
export const DRY_RUN = {
  dryRun: Type.Optional(Type.Boolean({ header: "Dry-Run", description: "Try it and keep nothing" })),
};
export const IF_MATCH = { ifMatch: Type.Optional(Type.Array(Type.String(), { header: "If-Match" })) };

/** Answer of a DELETE. docs/guides/conventions.md#answers */
export function deletedSchema(kind: IdKind) {
  return closed({ id: idSchema(kind) });
}
