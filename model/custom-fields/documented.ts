import { type TSchema, Type } from "../../base/contract/schema.ts";
import { customFieldTypes } from "./index.ts";

// The schema that validates a body takes anything under the name of a custom field, because only the definitions of the
// group tell what fits, and engine/records/judge.ts judges by them. These schemas say to readers of the OpenAPI
// document what a value may be; they are made of the schemas that judge, so that a new type of field is described as
// soon as it is there.

// The forms of a value stand where it is described, and not as schemas of their own, so that readers see them all in
// one place. Each has a title nevertheless, for generators of clients.
const forms = Object.values(customFieldTypes).map(({ name, value }) => ({
  ...(inPlace(value) as TSchema),
  inlineTitle: `${name[0]?.toUpperCase()}${name.slice(1)}Input`,
}));

const value = Type.Union([...forms, Type.Null()], {
  inlineTitle: "CustomFieldValueInput",
  description: "The form depends on the type of the field. null and an empty list unset a field of any type",
});

const byName = Type.Record(Type.String(), value, {
  title: "CustomFieldValuesInput",
  description: "Name of a custom field → its value. Fields that are not named stay as they are",
  example: { Status: "Lead" },
});

const { title: _, ...ofOneGroup } = byName;
const byGroup = Type.Record(Type.String(), ofOneGroup, {
  title: "CustomFieldValuesByGroupInput",
  description: "Id of a group of the record → values of the custom fields of this group",
});

// Several types are answered in the same form, which is described once.
const shown = new Map(Object.values(customFieldTypes).map((type) => [JSON.stringify(type.shown), type.shown]));
const answered = Type.Union([Type.Null(), ...shown.values()], { title: "CustomFieldValue" });

/** The schema with the titles of all its parts as titles in their place, which make no schemas of their own. */
function inPlace(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inPlace);
  if (typeof schema !== "object" || schema === null) return schema;
  const { title, ...rest } = schema as { title?: string };
  const parts = Object.entries(rest).map(([keyword, part]) => [keyword, inPlace(part)]);
  return { ...Object.fromEntries(parts), ...(title !== undefined && { inlineTitle: title }) };
}

const documented = new Map<string, TSchema>(
  [byName, byGroup, answered].map((schema) => [String(schema.title), schema]),
);

/**
 * The schema that the OpenAPI document has in place of one with `documentedAs`.
 * @throws Error if there is none of this title
 */
export function documentedSchema(title: string): TSchema {
  const found = documented.get(title);
  if (!found)
    throw new Error(`There is no schema "${title}" for the OpenAPI document in model/custom-fields/documented.ts`);
  return found;
}
