import type { RecordRow } from "../../../engine/records/select.ts";
import type { Sent } from "../../../model/fields/field.ts";
import { people } from "../../../model/resources/people.ts";
import { FILLED_FIELDS } from "./answer.ts";

const NAMES = ["firstName", "lastName", "fullName"];

/**
 * Body of an update with which an answer fills the empty fields of a person and changes no other. It is empty when
 * there is nothing to fill. docs/guides/enrichment.md#what-is-filled
 */
export function fillOf(current: RecordRow, fields: Sent): Sent {
  const filled = FILLED_FIELDS.filter(
    (name) => Object.hasOwn(fields, name) && isEmpty(current, name) && !isUnset(name, fields[name]),
  );
  // Names follow from each other in an update. Those that are there are sent along, so that they stay.
  const kept = NAMES.some((name) => filled.includes(name)) ? NAMES.filter((name) => !isEmpty(current, name)) : [];
  return Object.fromEntries([
    ...filled.map((name) => [name, fields[name]]),
    ...kept.map((name) => [name, current[name]]),
  ]);
}

/** The fields that were empty before and are not afterwards, in the order of the table of fields. */
export function addedFields(before: RecordRow, after: RecordRow): string[] {
  return FILLED_FIELDS.filter((name) => isEmpty(before, name) && !isEmpty(after, name));
}

function isEmpty(row: RecordRow, name: string): boolean {
  return isUnset(name, row[name]);
}

/** Whether a value is that of a field in which nothing is. */
function isUnset(name: string, value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  const storage = people.fields[name]?.storage;
  return value === null || value === "" || (storage?.shape === "column" && value === storage.unset);
}
