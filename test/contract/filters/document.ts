import type { FilterKind } from "../../../model/fields/field.ts";

// The tables of docs/guides/filters.md#fields and docs/guides/filters.md#operators, written anew: those in the code are
// what is tested.

/** Kind of field → its operators. */
export const OPERATORS: Record<FilterKind, string[]> = {
  TEXT: ["eq", "not_eq", "like", "not_like", "empty", "not_empty"],
  DATE: ["eq", "not_eq", "gt", "lt", "empty", "not_empty"],
  DAY: ["eq", "not_eq", "gt", "lt", "empty", "not_empty"],
  NUMBER: ["eq", "not_eq", "gt", "lt", "empty", "not_empty"],
  MULTIREF: ["all", "in", "not_in", "empty", "not_empty"],
  SELECT: ["in", "not_in", "empty", "not_empty"],
  CREATOR: ["in", "not_in", "empty", "not_empty"],
  TIME: ["gt", "lt", "empty", "not_empty"],
  CHOICE: ["eq", "not_eq", "in", "not_in", "empty", "not_empty"],
};

/** What can be filtered, by resource. */
export const NATIVE_FIELDS: Record<string, Record<string, FilterKind>> = {
  people: {
    ...each("TEXT", "fullName firstName lastName jobTitle description emails phones addresses urls"),
    ...each("DATE", "birthday"),
    ...each(
      "DAY",
      "createdAt interactionMetadata.workspace.lastInteractedAt interactionMetadata.user.lastInteractedAt",
    ),
    ...each("CHOICE", "gender"),
    ...each("MULTIREF", "companies groups"),
    ...each("CREATOR", "createdBy"),
  },
  companies: {
    ...each("TEXT", "name description emails phones addresses urls industry employeeRange"),
    ...each("DAY", "createdAt"),
    ...each("DATE", "lastFundingDate"),
    ...each("NUMBER", "fundingRaised foundationYear"),
    ...each("MULTIREF", "groups"),
    ...each("CREATOR", "createdBy"),
  },
  objects: {
    ...each("TEXT", "name"),
    ...each("MULTIREF", "people companies"),
    ...each("DAY", "createdAt"),
    ...each("CREATOR", "createdBy"),
  },
};

/** Type of custom field → kind. */
export const CUSTOM_KINDS: Record<string, FilterKind> = {
  textField: "TEXT",
  numericField: "NUMBER",
  dateField: "DATE",
  singleSelect: "SELECT",
  multipleSelect: "MULTIREF",
  userField: "MULTIREF",
  contactField: "MULTIREF",
  objectField: "MULTIREF",
};

/** Kind of the values of a sorted field, which decides how they are compared. */
export type OrderKind = "TEXT" | "NUMBER" | "DATE" | "OPTION";

/** Sorted fields of each resource. */
export const SORTED_FIELDS: Record<string, Record<string, OrderKind>> = {
  people: {
    ...each("TEXT", "firstName lastName fullName jobTitle"),
    ...each("DATE", "birthday createdAt interactionMetadata.workspace.lastInteractedAt"),
  },
  companies: {
    ...each("TEXT", "name industry"),
    ...each("NUMBER", "fundingRaised foundationYear"),
    ...each("DATE", "lastFundingDate createdAt"),
  },
  objects: { ...each("TEXT", "name"), ...each("DATE", "createdAt") },
};

/** Type of custom field → how its values are compared; the others have no order. */
export const SORTED_TYPES: Record<string, OrderKind> = {
  textField: "TEXT",
  numericField: "NUMBER",
  dateField: "DATE",
  singleSelect: "OPTION",
};

function each<Kind extends string>(kind: Kind, names: string): Record<string, Kind> {
  return Object.fromEntries(names.split(" ").map((name) => [name, kind]));
}
