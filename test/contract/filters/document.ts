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

function each(kind: FilterKind, names: string): Record<string, FilterKind> {
  return Object.fromEntries(names.split(" ").map((name) => [name, kind]));
}
