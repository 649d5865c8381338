import { custom, type Issue } from "../../base/contract/issues.ts";
import type { FieldDefinition } from "../../model/custom-fields/definition.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { customDefinition, sharedActivity } from "../filters/fields.ts";
import { knownFields, type Seen } from "../filters/known-fields.ts";
import { foldedField } from "../filters/search-columns.ts";
import { keyOfText, type SortKeys } from "./walk.ts";

/** Order of a list. */
export interface Sort {
  isDescending: boolean;
  keys: SortKeys;
}

/**
 * The order that the parameter `sort` names: a field, with a minus in front for the other direction. An issue for a
 * field that is not there, has no order, or is not to be seen by the caller. docs/guides/sorting.md#fields
 */
export function sortOf(seen: Seen, sort: string): Sort | { issue: Issue } {
  const isDescending = sort.startsWith("-");
  const name = isDescending ? sort.slice(1) : sort;
  const found = customDefinition(seen.scope, seen.definitions, seen.caller, name);
  const keys = found ? customKeys(found.definition, isDescending) : nativeKeys(seen.resource, name);
  if (keys) return { isDescending, keys };
  const known = knownFields(seen, name, {
    native: ({ isSorted }) => isSorted === true,
    parts: sharedActivity(seen.resource),
    custom: ({ type }) => customFieldTypes[type].sortedBy !== undefined,
  });
  return { issue: custom(["sort"], `Lists cannot be sorted by "${name.slice(0, 300)}". ${known}`) };
}

function nativeKeys(resource: RecordType, name: string): SortKeys | undefined {
  if (sharedActivity(resource).includes(name)) return { shape: "activity" };
  const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined;
  if (!field?.isSorted) return undefined;
  const { storage } = field;
  if (storage.shape === "createdAt") return { shape: "createdAt" };
  if (storage.shape !== "column") return undefined;
  return storage.type === "text"
    ? { shape: "column", key: `nullif(${keyOfText(foldedField(resource, name).text)}, '') collate "C"`, type: "text" }
    : { shape: "column", key: `r.${storage.column}`, type: storage.type };
}

function customKeys({ uuid: field, type, options }: FieldDefinition, isDescending: boolean): SortKeys | undefined {
  const column = customFieldTypes[type].sortedBy;
  switch (column) {
    case undefined:
      return undefined;
    case "option":
      return { shape: "option", field, options: isDescending ? [...options].reverse() : options, isDescending };
    case "folded_text":
      return { shape: "value", field, column, key: `${keyOfText("v.folded_text")} collate "C"`, type: "text" };
    case "number_value":
      return { shape: "value", field, column, key: `v.${column}`, type: "numeric" };
    case "date_value":
      return { shape: "value", field, column, key: `v.${column}`, type: "date" };
    default:
      return column satisfies never;
  }
}
