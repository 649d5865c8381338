import { custom } from "../contract/issues.ts";
import { customFieldTypes } from "../custom-fields/index.ts";
import type { Names } from "../custom-fields/type.ts";
import type { RecordType } from "../resources/record-type.ts";
import { type ChangedValue, type Draft, placeOf, type Writing } from "./draft.ts";
import type { Faults } from "./faults.ts";
import type { RecordRow } from "./select.ts";

/** Values that name users and records are not shown here. */
const NO_NAMES: Names = { user: () => undefined, record: () => undefined };

/**
 * Adds a fault for every value that a draft would put in the place of another one. A draft with `keeps` fills what is empty and
 * adds to lists, and changes nothing. docs/guides/import.md#rows-about-the-same-record
 */
export function refuseReplacing(
  writing: Writing,
  resource: RecordType,
  draft: Draft,
  current: RecordRow,
  values: ChangedValue[],
  faults: Faults,
): void {
  for (const { name, storage } of resource.columns) {
    const before = current[name];
    if (!Object.hasOwn(draft.sent, name) || Array.isArray(before) || isSame(before, storage.unset)) continue;
    if (!isSame(storage.store(draft.sent[name]), before))
      faults.issues.push(custom(placeOf(draft, name), keptMessage(draft, storage.present(before))));
  }
  for (const { groupId, fieldId, stored } of values) {
    const before = current.memberships.find((membership) => membership.groupId === groupId)?.values[fieldId];
    const group = writing.catalog.groups.get(groupId);
    const field = group?.fieldsByUuid.get(fieldId);
    if (before === undefined || stored === null || !group || !field) continue;
    const place = draft.scope.home ? [field.name] : [group.id, field.name];
    const shown = customFieldTypes[field.type].present(before as never, field, NO_NAMES);
    faults.issues.push(custom(placeOf(draft, "customFieldValues", ...place), keptMessage(draft, shown)));
  }
}

function keptMessage({ keeps }: Draft, shown: unknown): string {
  return `${keeps} has ${shown === null ? "another value" : JSON.stringify(shown).slice(0, 100)} here`;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
