import { custom, type Path, tooBig } from "../../base/contract/issues.ts";
import { issuesOf } from "../../base/contract/validate.ts";
import { type RecordKind, toId } from "../../base/values/ids.ts";
import type { FieldDefinition } from "../../model/custom-fields/definition.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import { unique } from "../../model/custom-fields/list.ts";
import type { CustomFieldType, Lookup, StoredValue } from "../../model/custom-fields/type.ts";
import { type EntityKey, findField, type Group } from "../../model/definitions/definitions.ts";
import { visibleGroup } from "../../model/definitions/roles.ts";
import { findUser, isShownAs } from "../../model/definitions/users.ts";
import type { RequestBody } from "../../model/fields/field.ts";
import { type ChangedValue, type Draft, placeOf, type WriteContext } from "./draft.ts";
import { type Faults, needContributor } from "./faults.ts";
import type { Found } from "./found.ts";
import type { Link, Membership } from "./select.ts";
/**
 * Judges the custom values of a draft by the definitions of its groups after the write. Returns the stored form of each
 * changed value.
 */
export function judgeValues(
  writing: WriteContext,
  draft: Draft,
  memberships: Membership[],
  found: Found,
  faults: Faults,
): ChangedValue[] {
  const sent = draft.sent.customFieldValues as RequestBody | undefined;
  if (sent === undefined) return [];
  const { definitions, caller } = writing;
  const { entity, homeGroup } = draft.scope;
  const placeIn =
    (...group: Path) =>
    (name: string) =>
      placeOf(draft, "customFieldValues", ...group, name);
  const isChange = (value: ChangedValue) => differs(memberships, value);
  const judgeIn = (group: Group, values: RequestBody, place: (name: string) => Path) =>
    judgeGroupValues(writing, { entity, group, place, kept: keptLists(draft, group) }, values, found, faults);
  if (homeGroup) return judgeIn(homeGroup, sent, placeIn()).filter(isChange);
  return Object.entries(sent).flatMap(([groupId, values]) => {
    const group = visibleGroup(definitions, caller, groupId);
    if (!group || !memberships.some((membership) => membership.groupId === group.uuid)) {
      faults.issues.push(
        custom(placeIn()(groupId), `The record is not in a group with the id ${groupId.slice(0, 100)}`),
      );
      return [];
    }
    return judgeIn(group, values as RequestBody, placeIn(groupId)).filter(isChange);
  });
}

/** The values of a group in a draft: what they are of, where they stand, and the lists to which they are added. */
interface ValuesIn {
  entity: EntityKey;
  group: Group;
  place(name: string): Path;
  /** The present entries of a list that is only added to; undefined for one that is replaced. */
  kept(field: FieldDefinition): readonly string[] | undefined;
}

/** docs/guides/upsert.md#lists */
function keptLists({ lists, current }: Draft, group: Group): ValuesIn["kept"] {
  if (lists !== "add") return () => undefined;
  const { values = {} } = current?.memberships.find(({ groupId }) => groupId === group.uuid) ?? {};
  return (field) => {
    const stored = values[field.uuid] ?? [];
    return isList(field) && Array.isArray(stored) ? stored : undefined;
  };
}

function isList({ type }: FieldDefinition): boolean {
  return customFieldTypes[type].value.type === "array";
}

function judgeGroupValues(
  writing: WriteContext,
  { entity, group, place, kept }: ValuesIn,
  sent: RequestBody,
  found: Found,
  faults: Faults,
): ChangedValue[] {
  const entries = Object.entries(sent);
  if (entries.length > 0) needContributor(group, writing.caller, faults);
  const lookup = lookupIn(writing, group, found);
  // Two names that are the same after NFC name one field. The last of them counts.
  // docs/guides/custom-fields.md#values-in-writes
  const named = entries.map(([name, value]) => ({ name, value, field: findField(group, entity, name) }));
  const lastOfEach = new Map(named.map((entry) => [entry.field ?? entry.name, entry]));
  return [...lastOfEach.values()].flatMap(({ name, value, field }): ChangedValue[] => {
    const at = place(name);
    if (!field) {
      faults.definitional = true;
      // Clients look for these words. docs/guides/custom-fields.md#values-in-writes
      faults.issues.push(
        custom(
          at,
          `The custom field "${name.slice(0, 100)}" does not exist in group "${group.name}" for this kind of record`,
        ),
      );
      return [];
    }
    const before = Array.isArray(value) ? kept(field) : undefined;
    const stored = before
      ? united(field, before, storedValue(field, value, at, lookup, faults), at, faults)
      : storedOrUnset(field, value, at, lookup, faults);
    return stored === undefined ? [] : [{ groupId: group.uuid, fieldId: field.uuid, stored }];
  });
}

function storedOrUnset(
  field: FieldDefinition,
  value: unknown,
  at: Path,
  lookup: Lookup,
  faults: Faults,
): StoredValue | null | undefined {
  return unsets(customFieldTypes[field.type], value) ? null : storedValue(field, value, at, lookup, faults);
}

/** The present entries of a list and those that are new; undefined when nothing is added, or something is wrong. */
function united(
  { type }: FieldDefinition,
  before: readonly string[],
  sent: StoredValue | undefined,
  at: Path,
  faults: Faults,
): string[] | undefined {
  if (!Array.isArray(sent) || sent.length === 0) return undefined;
  const all = unique([...before, ...sent]);
  const max = customFieldTypes[type].value.maxItems ?? Number.POSITIVE_INFINITY;
  if (all.length > max) faults.issues.push(tooBig(at, "array", max));
  return all;
}

/**
 * A value of a custom field as it is stored; undefined when something speaks against it, which is added to `faults`.
 */
function storedValue(
  field: FieldDefinition,
  value: unknown,
  at: Path,
  lookup: Lookup,
  faults: Faults,
): StoredValue | undefined {
  const type = customFieldTypes[field.type];
  const issues = issuesOf(type.value, value, at);
  faults.issues.push(...issues);
  if (issues.length > 0) {
    faults.definitional = true;
    return undefined;
  }
  const result = type.store(value as never, field, lookup);
  if ("value" in result) return result.value;
  // A label is defined with its field, so another definition may know it. Users and records are not defined.
  if (type.hasOptions) faults.definitional = true;
  for (const { below, message } of result.faults) faults.issues.push(custom([...at, ...below], message));
  return undefined;
}

/**
 * Whether a value unsets a field: null and an empty list do of every type.
 * docs/guides/custom-fields.md#unsetting-a-value
 */
function unsets(type: CustomFieldType, value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0) || (value === "" && type.unsetBy === "");
}

function lookupIn({ definitions }: WriteContext, group: Group, found: Found): Lookup {
  return {
    user: ({ id, email, fullName }) => {
      const user = findUser(definitions, { id, email });
      const isTwice = id !== undefined && email !== undefined;
      return user && isTwice && !isShownAs(user, { fullName, email }) ? undefined : user?.uuid;
    },
    contact: (id) => idOf("person", found.record("person", id)) ?? idOf("company", found.record("company", id)),
    object: (id) => (found.isIn(id, group.uuid) ? idOf("object", found.record("object", id)) : undefined),
  };
}

function idOf(kind: RecordKind, link: Link | undefined): string | undefined {
  return link && toId(kind, link.uuid);
}

/** Whether a value changes anything: one that is stored already does not. */
function differs(memberships: Membership[], { groupId, fieldId, stored }: ChangedValue): boolean {
  const before = memberships.find((membership) => membership.groupId === groupId)?.values[fieldId] ?? null;
  if (before === null || stored === null) return before !== stored;
  return JSON.stringify(before) !== JSON.stringify(stored);
}

/** The memberships with changed values in them. */
export function withValues(memberships: Membership[], changes: ChangedValue[]): Membership[] {
  return memberships.map(({ groupId, values }) => {
    const after: Record<string, StoredValue> = { ...values };
    for (const change of changes) {
      if (change.groupId !== groupId) continue;
      if (change.stored === null) delete after[change.fieldId];
      else after[change.fieldId] = change.stored;
    }
    return { groupId, values: after };
  });
}
