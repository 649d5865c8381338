import { type EntityKey, findField, type Group } from "../catalog/catalog.ts";
import { refuseRole, roleIn, visibleGroup } from "../catalog/roles.ts";
import { findUser } from "../catalog/users.ts";
import type { Caller } from "../contract/caller.ts";
import { ApiError, unprocessable, unsaved } from "../contract/errors.ts";
import { custom, type Issue, type Path } from "../contract/issues.ts";
import { issuesOf } from "../contract/validate.ts";
import type { FieldDefinition } from "../custom-fields/definition.ts";
import { customFieldTypes } from "../custom-fields/index.ts";
import { unique } from "../custom-fields/list.ts";
import type { CustomFieldType, Lookup, StoredValue } from "../custom-fields/type.ts";
import type { LinksStorage, Sent } from "../fields/field.ts";
import { nameKey } from "../fields/name-key.ts";
import type { RecordType } from "../resources/record-type.ts";
import { newUuid, type RecordKind, toId, type Uuid } from "../values/ids.ts";
import {
  type ChangedValue,
  type Draft,
  type Plan,
  type PlannedLink,
  placeOf,
  type Verdict,
  type Warning,
  type Writing,
} from "./draft.ts";
import type { Found } from "./found.ts";
import type { Link, Membership } from "./select.ts";

/** What speaks against a draft. A role that is too low wins over all issues. docs/guides/conventions.md#order-of-checks */
interface Faults {
  forbidden: Set<string>;
  issues: Issue[];
  warnings: Warning[];
  /** Another definition would change the verdict: it is not saved. docs/guides/idempotency.md#what-is-not-saved */
  definitional: boolean;
}

/**
 * Judges a draft by the rules that the schema cannot see: groups, roles, references, custom values. Gives the plan by which it
 * is written, or the error that refuses it, with all issues. Runs no SQL: what the draft names was looked up in `found`.
 */
export function judge(writing: Writing, resource: RecordType, draft: Draft, found: Found): Verdict {
  const faults: Faults = { forbidden: new Set(), issues: [], warnings: [], definitional: false };
  const memberships = judgeGroups(writing, draft, faults);
  const values = judgeValues(writing, draft, memberships.after, found, faults).filter((value) =>
    differs(memberships.after, value),
  );
  const links = judgeLinks(resource, draft, found, faults);
  if (faults.forbidden.size > 0) return { error: new ApiError("FORBIDDEN", [...faults.forbidden].join(" ")) };
  if (faults.issues.length > 0) {
    const error = unprocessable(faults.issues);
    return { error: faults.definitional ? unsaved(error) : error };
  }
  const { current } = draft;
  const plan: Plan = {
    uuid: current?.uuid ?? newUuid(),
    isNew: current === null,
    scope: draft.scope,
    columns: changedColumns(resource, draft),
    memberships: memberships.changed || values.length > 0 ? withValues(memberships.after, values) : null,
    removedGroups: memberships.removed,
    warnings: faults.warnings,
    changedValues: values,
    links,
  };
  return { plan };
}

// ---- groups

interface Memberships {
  after: Membership[];
  removed: Uuid[];
  changed: boolean;
}

function judgeGroups({ catalog, caller }: Writing, draft: Draft, faults: Faults): Memberships {
  const before = draft.current?.memberships ?? [];
  const { home } = draft.scope;
  if (home) {
    needContributor(home, caller, faults);
    return draft.current
      ? { after: before, removed: [], changed: false }
      : { after: [{ groupId: home.uuid, values: {} }], removed: [], changed: true };
  }
  const sent = draft.sent.groups as { id: string }[] | undefined;
  if (sent === undefined) return { after: before, removed: [], changed: false };
  const known = new Map(before.map((membership) => [membership.groupId, membership]));
  const groups = sent.flatMap(({ id }, i) => {
    const group = visibleGroup(catalog, caller, id);
    const message = `There is no group with the id ${id}`;
    const path = placeOf(draft, "groups", i);
    if (!group && draft.unseenGroups === "warn") faults.warnings.push({ code: "GROUP_NOT_ADDED", message, path });
    else if (!group) faults.issues.push(custom([...path, "id"], message));
    return group ?? [];
  });
  const wanted = unique(groups);
  for (const group of wanted) if (!known.has(group.uuid)) needContributor(group, caller, faults);
  const isWanted = new Set(wanted.map((group) => group.uuid));
  const others = before.filter(({ groupId }) => !isWanted.has(groupId));
  // A group that the caller cannot see stays, whatever list they send. docs/guides/access.md#groups-in-writes
  const removed = others.flatMap(({ groupId }) => {
    const group = catalog.groups.get(groupId);
    return draft.groups === "replace" && group && roleIn(group, caller.userId) ? [group] : [];
  });
  for (const group of removed) needContributor(group, caller, faults);
  const isRemoved = new Set(removed.map((group) => group.uuid));
  const kept = others.filter(({ groupId }) => !isRemoved.has(groupId));
  const added = wanted.map((group) => known.get(group.uuid) ?? { groupId: group.uuid, values: {} });
  const after =
    draft.groups === "add" ? [...before, ...added.filter(({ groupId }) => !known.has(groupId))] : [...added, ...kept];
  return { after, removed: [...isRemoved], changed: !sameGroups(before, after) };
}

function needContributor(group: Group, caller: Caller, faults: Faults): void {
  const refusal = refuseRole(group, caller, "contributor");
  if (refusal !== null) faults.forbidden.add(refusal);
}

function sameGroups(before: Membership[], after: Membership[]): boolean {
  return before.length === after.length && before.every(({ groupId }, i) => groupId === after[i]?.groupId);
}

// ---- custom values

function judgeValues(
  writing: Writing,
  draft: Draft,
  memberships: Membership[],
  found: Found,
  faults: Faults,
): ChangedValue[] {
  const sent = draft.sent.customFieldValues as Sent | undefined;
  if (sent === undefined) return [];
  const { catalog, caller } = writing;
  const { entity, home } = draft.scope;
  const placeIn =
    (...group: Path) =>
    (name: string) =>
      placeOf(draft, "customFieldValues", ...group, name);
  if (home) return judgeGroupValues(writing, entity, home, sent, placeIn(), found, faults);
  return Object.entries(sent).flatMap(([groupId, values]) => {
    const group = visibleGroup(catalog, caller, groupId);
    if (!group || !memberships.some((membership) => membership.groupId === group.uuid)) {
      faults.issues.push(
        custom(placeIn()(groupId), `The record is not in a group with the id ${groupId.slice(0, 100)}`),
      );
      return [];
    }
    return judgeGroupValues(writing, entity, group, values as Sent, placeIn(groupId), found, faults);
  });
}

function judgeGroupValues(
  writing: Writing,
  entity: EntityKey,
  group: Group,
  sent: Sent,
  place: (name: string) => Path,
  found: Found,
  faults: Faults,
): ChangedValue[] {
  const entries = Object.entries(sent);
  if (entries.length > 0) needContributor(group, writing.caller, faults);
  const lookup = lookupIn(writing, group, found);
  // Two names that are the same after NFC name one field. The last of them counts. docs/guides/custom-fields.md#values-in-writes
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
    const stored = unsets(customFieldTypes[field.type], value) ? null : storedValue(field, value, at, lookup, faults);
    return stored === undefined ? [] : [{ groupId: group.uuid, fieldId: field.uuid, stored }];
  });
}

/** A value of a custom field as it is stored; undefined when something speaks against it, which is added to `faults`. */
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

/** Whether a value unsets a field: null and an empty list do of every type. docs/guides/custom-fields.md#unsetting-a-value */
function unsets(type: CustomFieldType, value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0) || (value === "" && type.unsetBy === "");
}

function lookupIn({ catalog }: Writing, group: Group, found: Found): Lookup {
  return {
    user: (reference) => findUser(catalog, reference)?.uuid,
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
  return JSON.stringify(before) !== JSON.stringify(stored);
}

function withValues(memberships: Membership[], changes: ChangedValue[]): Membership[] {
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

// ---- links and columns

function judgeLinks(resource: RecordType, draft: Draft, found: Found, faults: Faults): Map<string, PlannedLink[]> {
  const changed = new Map<string, PlannedLink[]>();
  for (const { name, storage } of resource.links) {
    const sent = draft.sent[name] as { id?: string; name?: string }[] | undefined;
    if (sent === undefined) continue;
    const links = sent.flatMap((reference, i) => {
      const link = linkTo(storage, reference, found, draft.scope.home);
      const where = draft.scope.home ? ` in the group "${draft.scope.home.name}"` : "";
      if (!link)
        faults.issues.push(
          custom(
            [...placeOf(draft, name), i, "id"],
            `There is no ${storage.target} with the id ${reference.id}${where}`,
          ),
        );
      return link ?? [];
    });
    const after = [
      ...new Map(links.map((link) => ["uuid" in link ? link.uuid : nameKey(link.newCompany), link])).values(),
    ];
    const before = (draft.current?.[name] as Link[] | null | undefined) ?? [];
    if (
      JSON.stringify(before.map(({ uuid }) => uuid)) !==
      JSON.stringify(after.map((link) => ("uuid" in link ? link.uuid : "")))
    )
      changed.set(name, after);
  }
  return changed;
}

/**
 * The link that a reference asks for; undefined when the record is not there, or is not in the group of the object.
 * docs/guides/objects.md#links
 */
function linkTo(
  storage: LinksStorage,
  { id, name }: { id?: string; name?: string },
  found: Found,
  home: Group | null,
): PlannedLink | undefined {
  if (id !== undefined) return home && !found.isIn(id, home.uuid) ? undefined : found.record(storage.target, id);
  const trimmed = String(name).trim();
  return found.companyNamed(trimmed) ?? { newCompany: trimmed };
}

/** All columns as they are to be stored, or null when every one stays as it is. */
function changedColumns(resource: RecordType, { sent, current }: Draft): Record<string, unknown> | null {
  const before =
    current && Object.fromEntries(resource.columns.map(({ name, storage }) => [name, storage.present(current[name])]));
  const derived = resource.derive ? resource.derive(sent, before) : sent;
  const columns: Record<string, unknown> = {};
  let changed = current === null;
  for (const { name, storage } of resource.columns) {
    const old = current ? current[name] : storage.unset;
    const value = Object.hasOwn(derived, name) ? storage.store(derived[name]) : old;
    columns[name] = value;
    changed ||= JSON.stringify(value) !== JSON.stringify(old);
  }
  return changed ? columns : null;
}
