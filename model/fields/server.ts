import { idSchema, nullable, reference, Type, timestampSchema, userSchema } from "../../base/contract/schema.ts";
import type { IdKind } from "../../base/values/ids.ts";
import type { Field } from "./field.ts";

// Fields that the server makes of other data, or keeps in tables beside that of the record.

/** The identifier of the record itself. */
export function id(kind: IdKind): Field {
  return { read: idSchema(kind), write: null, filter: null, storage: { shape: "id" } };
}

/** When the record was made. */
export function createdAt(): Field {
  return { read: timestampSchema, write: null, filter: "DAY", isSorted: true, storage: { shape: "createdAt" } };
}

/** The user who made the record. */
export function createdBy(): Field {
  return { read: userSchema, write: null, filter: "CREATOR", isGrouped: true, storage: { shape: "createdBy" } };
}

/** The groups that the record is in, as far as the caller sees them. docs/guides/access.md#groups-in-writes */
export function groups({ max }: { max: number }): Field {
  return {
    read: Type.Array(Type.Object({ id: idSchema("group"), name: Type.String() })),
    write: Type.Array(reference("group"), { maxItems: max }),
    filter: "MULTIREF",
    isGrouped: true,
    storage: { shape: "groups" },
  };
}

const valuesByName = Type.Record(Type.String(), Type.Unsafe({ documentedAs: "CustomFieldValue" }));

// Which values a name takes depends on the definitions of the group. Therefore this schema takes any,
// engine/records/judge.ts judges them by the types of model/custom-fields, and model/custom-fields/documented.ts
// describes them.
const sentByName = Type.Unsafe<Record<string, unknown>>({
  type: "object",
  documentedAs: "CustomFieldValuesInput",
  example: { Status: "Lead" },
});

/** Values of custom fields, keyed by group id and then by field name. docs/guides/custom-fields.md#values-in-writes */
export function customFieldValuesByGroup(): Field {
  return {
    read: Type.Record(Type.String(), valuesByName),
    write: Type.Unsafe<Record<string, Record<string, unknown>>>({
      type: "object",
      documentedAs: "CustomFieldValuesByGroupInput",
      additionalProperties: sentByName,
    }),
    filter: null,
    storage: { shape: "values" },
  };
}

/** Values of custom fields of an object, keyed by field name alone, because an object is in one group. */
export function customFieldValues(): Field {
  return { read: valuesByName, write: sentByName, filter: null, storage: { shape: "values" } };
}

/**
 * Counts and times of contacts of the caller, and of any user of the workspace, with the person.
 * docs/guides/people.md#fields
 */
export function interactionMetadata(): Field {
  const counted = { approximateCount: Type.Integer(), lastInteractedAt: nullable(timestampSchema) };
  return {
    read: Type.Object({
      user: Type.Object(counted),
      workspace: Type.Object({ ...counted, lastInteractedBy: Type.Array(userSchema) }),
    }),
    write: null,
    filter: null,
    storage: { shape: "interactions" },
  };
}

/** Group id → the member who knows the person best. */
export function strongestConnection(): Field {
  return { read: Type.Record(Type.String(), userSchema), write: null, filter: null, storage: { shape: "connections" } };
}
