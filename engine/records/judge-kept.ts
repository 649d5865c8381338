import { custom } from "../../base/contract/issues.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import type { Names } from "../../model/custom-fields/type.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { type ChangedValue, type Draft, placeOf, type WriteContext } from "./draft.ts";
import type { Faults } from "./faults.ts";
import type { RecordRow } from "./select.ts";

/** Values that name users and records are not shown here. */
const NO_NAMES: Names = { user: () => undefined, record: () => undefined };

/**
 * Adds a fault for every value of a draft that would replace another one. A draft with `keeps` fills empty fields, adds
 * to lists, and changes nothing. docs/guides/import-matching.md#rows-about-the-same-record
 */
export function refuseReplacing(
  writing: WriteContext,
  resource: RecordType,
  draft: Draft,
  values: ChangedValue[],
  faults: Faults,
): void {
  const { current } = draft;
  if (!current) return;
  for (const { name, storage } of resource.columns) {
    const before = current[name];
    if (!Object.hasOwn(draft.sent, name) || Array.isArray(before) || isSame(before, storage.unset)) continue;
    const after = storage.store(draft.sent[name]);
    if (!isSame(after, before))
      faults.issues.push(custom(placeOf(draft, name), kept(draft, storage.present(before), storage.present(after))));
  }
  for (const value of values) refuseValue(writing, draft, current, value, faults);
}

function refuseValue(
  { definitions }: WriteContext,
  draft: Draft,
  { memberships }: RecordRow,
  { groupId, fieldId, stored }: ChangedValue,
  faults: Faults,
): void {
  const before = memberships.find((membership) => membership.groupId === groupId)?.values[fieldId];
  const group = definitions.groups.get(groupId);
  const field = group?.fieldsByUuid.get(fieldId);
  if (before === undefined || stored === null || !group || !field) return;
  const shown = (one: unknown) => customFieldTypes[field.type].present(one as never, field, NO_NAMES);
  const place = draft.scope.homeGroup ? [field.name] : [group.id, field.name];
  faults.issues.push(custom(placeOf(draft, "customFieldValues", ...place), kept(draft, shown(before), shown(stored))));
}

/** `The person of line 2 has "Eve" here, not "Eve Moss"` */
function kept({ keeps }: Draft, before: unknown, after: unknown): string {
  const [shownBefore, shownAfter] = [before, after].map((value) => JSON.stringify(value).slice(0, 100));
  return before === null || after === null
    ? `${keeps} has another value here`
    : `${keeps} has ${shownBefore} here, not ${shownAfter}`;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
