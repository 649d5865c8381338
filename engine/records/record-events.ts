import { toId, type Uuid } from "../../base/values/ids.ts";
import type { FieldDefinition } from "../../model/custom-fields/definition.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import type { Names, StoredValue } from "../../model/custom-fields/type.ts";
import type { Definitions, EntityKey, Group } from "../../model/definitions/definitions.ts";
import { shownUser } from "../../model/definitions/users.ts";
import { EVENT_TYPES } from "../../model/events.ts";
import type { ColumnStorage } from "../../model/fields/field.ts";
import {
  type Changed,
  type Gone,
  type LogBody,
  type LogEntry,
  type LogMore,
  type Made,
  type MadeValue,
  moreText,
  updatedType,
} from "../../model/log.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { changed, keptValue } from "../events/diff.ts";
import { OF_OBJECT } from "../events/made.ts";
import type { Membership, RecordRow } from "./select.ts";

/**
 * The entry of the log for a record that a write has left in another state: what was made, and what became of its
 * fields, links, groups and custom values. None when nothing has changed. All ways of writing records come through
 * here. What a create has set, and values that went with a group, stand apart, since events do not tell them.
 * docs/guides/events.md#which-events-a-change-makes
 * @param before null for a record that was made
 * @param merged the records that are merged into it, in a merge; then there is an entry in any case
 */
export function recordEntry(
  resource: RecordType,
  definitions: Definitions,
  before: RecordRow | null,
  after: RecordRow,
  merged?: LogMore["merged"],
): LogEntry[] {
  const { kind } = resource;
  const recordId = after.uuid;
  const body = contextOf(resource, definitions, after);
  if (!before)
    return [
      { type: `${kind}.created`, recordId, body, more: moreText({ made: madeOf(resource, definitions, after) }) },
    ];
  const changes = fieldChanges(resource, definitions, before, after);
  const groups = groupChanges(resource, definitions, before.memberships, after.memberships);
  if (changes.length + groups.length === 0)
    return merged ? [{ type: `${kind}.merged`, recordId, body, more: moreText({ merged }) }] : [];
  const type = updatedType(kind, { fields: changes.length > 0, groups: groups.length > 0 });
  const lost = lostValues(resource, definitions, before, after);
  const more = { ...(lost.length > 0 && { changes: lost }), ...(merged && { merged }) };
  const isMore = Object.keys(more).length > 0;
  return [
    { type, recordId, body: { ...body, changes: [...changes, ...groups] }, ...(isMore && { more: moreText(more) }) },
  ];
}

/** The values that are set in a new record. */
function madeOf(resource: RecordType, definitions: Definitions, row: RecordRow): Made {
  const fields: Record<string, unknown> = {};
  for (const { name, storage } of resource.columns) {
    const value = keptValue(shownColumn(storage, row[name]));
    if (value !== undefined) fields[name] = value;
  }
  for (const { name, storage } of resource.links) {
    const linked = row[name] as Uuid[];
    if (linked.length > 0) fields[name] = linked.map((uuid) => ({ id: toId(storage.target, uuid) }));
  }
  return row.memberships.length === 0 ? { fields } : { fields, groups: madeGroups(resource, definitions, row) };
}

function madeGroups(resource: RecordType, definitions: Definitions, row: RecordRow): Record<string, MadeValue[]> {
  const names = namesOf(definitions);
  const entity = entityOf(resource, row);
  const made: Record<string, MadeValue[]> = {};
  for (const { groupId, values } of row.memberships) {
    const group = definitions.groups.get(groupId);
    if (!group) continue;
    const ofGroup = madeValues(group.fields.get(entity) ?? [], values, names);
    made[resource.kind === "object" ? OF_OBJECT : group.id] = ofGroup;
  }
  return made;
}

function madeValues(fields: readonly FieldDefinition[], values: Membership["values"], names: Names): MadeValue[] {
  const made: MadeValue[] = [];
  for (const field of fields) {
    const stored = values[field.uuid];
    if (stored === undefined) continue;
    const value = keptValue(customFieldTypes[field.type].present(stored as never, field, names));
    if (value !== undefined) made.push([field.uuid, field.name, value]);
  }
  return made;
}

/** The entity whose custom fields a record has. */
function entityOf({ kind }: RecordType, { objectTypeId }: RecordRow): EntityKey {
  return kind === "object" ? (objectTypeId as Uuid) : kind;
}

function fieldChanges(resource: RecordType, definitions: Definitions, before: RecordRow, after: RecordRow): Changed[] {
  return [
    ...resource.columns.flatMap(({ name, storage }) => columnDiff(name, storage, before[name], after[name])),
    ...resource.links.flatMap(({ name, storage: { target } }) => {
      const references = (row: RecordRow) => (row[name] as Uuid[]).map((uuid) => ({ id: toId(target, uuid) }));
      return changed([name], references(before), references(after));
    }),
    ...valuesDiff(resource, definitions, before, after),
  ];
}

function groupChanges(
  { kind }: RecordType,
  definitions: Definitions,
  before: Membership[],
  after: Membership[],
): Changed[] {
  const isInGroups = `${kind}.groups_updated` in EVENT_TYPES;
  return isInGroups ? changed(["groups"], groupsOf(definitions, before), groupsOf(definitions, after)) : [];
}

/** The entry of a deleted record, from its former row. docs/guides/events.md#the-event */
export function deletedEntry(resource: RecordType, definitions: Definitions, row: RecordRow, gone: Gone): LogEntry {
  const type = `${resource.kind}.deleted` as const;
  const { details: told = {} } = EVENT_TYPES[type];
  const details = resource.columns.flatMap(({ name, storage }) =>
    Object.hasOwn(told, name) ? [[name, presented(storage, row[name])]] : [],
  );
  return {
    type,
    recordId: row.uuid,
    body: { ...contextOf(resource, definitions, row), details: Object.fromEntries(details) },
    more: moreText({ gone: { row: keptOf(resource, row), ...gone } }),
  };
}

/** The part of a row that is needed to write it again: without what is unset. */
function keptOf({ columns, links, rowColumns = {} }: RecordType, row: RecordRow): Gone["row"] {
  const { createdBy, version, memberships } = row;
  const kept: Record<string, unknown> = { createdBy, version, memberships };
  for (const name of Object.keys(rowColumns)) kept[name] = row[name];
  for (const { name, storage } of columns) if (!isUnset(storage, row[name])) kept[name] = row[name];
  for (const { name } of links) if ((row[name] as Uuid[]).length > 0) kept[name] = row[name];
  return kept;
}

function isUnset({ unset }: ColumnStorage, value: unknown): boolean {
  return value === unset || (Array.isArray(value) && value.length === 0);
}

/**
 * Users who may see the event, and values for the filters of webhooks: the groups of a person or company; the group and
 * the type of an object.
 */
export function contextOf(
  { kind }: RecordType,
  definitions: Definitions,
  { memberships, objectTypeId }: RecordRow,
): LogBody {
  const groups = memberships.map(({ groupId }) => groupId);
  if (kind !== "object") return { groups };
  const [home] = groups;
  const type = home && definitions.groups.get(home)?.objectTypes.find(({ uuid }) => uuid === objectTypeId);
  return { ...(home && { home }), ...(type && { objectType: type.name }) };
}

function columnDiff(name: string, storage: ColumnStorage, before: unknown, after: unknown): Changed[] {
  if (before === after) return [];
  return changed([name], shownColumn(storage, before), shownColumn(storage, after));
}

/** A value as answers show it; null for one that is unset, whatever it is answered as. */
export function shownColumn(storage: ColumnStorage, stored: unknown): unknown {
  return stored === storage.unset ? null : presented(storage, stored);
}

/** Rows hold the texts of PostgreSQL, and what writes have stored in them. Both are shown alike. */
function presented({ type, present }: ColumnStorage, stored: unknown): unknown {
  if (stored === null) return null;
  return type === "json" ? stored : present(String(stored));
}

/** Deleted groups stay in rows, and events no longer name them. */
function groupsOf(definitions: Definitions, memberships: Membership[]): { id: string }[] {
  return memberships.flatMap(({ groupId }) =>
    definitions.groups.has(groupId) ? [{ id: toId("group", groupId) }] : [],
  );
}

/** Changes of custom values, in the groups that the record is in afterwards. */
function valuesDiff(resource: RecordType, definitions: Definitions, before: RecordRow, after: RecordRow): Changed[] {
  if (before.memberships === after.memberships) return [];
  const valuesBefore = new Map(before.memberships.map(({ groupId, values }) => [groupId, values]));
  const names = namesOf(definitions);
  return after.memberships.flatMap(({ groupId, values }) => {
    const group = definitions.groups.get(groupId);
    const old = valuesBefore.get(groupId) ?? {};
    if (!group || old === values) return [];
    return fieldsDiff(resource, group, after, { old, now: values }, names);
  });
}

/** The values that went with groups, each of which has no value afterwards. */
function lostValues(resource: RecordType, definitions: Definitions, before: RecordRow, after: RecordRow): Changed[] {
  const left = new Set(after.memberships.map(({ groupId }) => groupId));
  const names = namesOf(definitions);
  return before.memberships.flatMap(({ groupId, values }) => {
    const group = definitions.groups.get(groupId);
    return group && !left.has(groupId) ? fieldsDiff(resource, group, before, { old: values, now: {} }, names) : [];
  });
}

function fieldsDiff(
  resource: RecordType,
  group: Group,
  row: RecordRow,
  { old, now }: Record<"old" | "now", Record<Uuid, StoredValue>>,
  names: Names,
): Changed[] {
  const above = resource.kind === "object" ? ["customFieldValues"] : ["customFieldValues", group.id];
  return (group.fields.get(entityOf(resource, row)) ?? []).flatMap((field) => {
    const [before, after] = [old[field.uuid], now[field.uuid]];
    if (before === after) return [];
    const value = (stored: StoredValue | undefined) =>
      stored === undefined ? null : customFieldTypes[field.type].present(stored as never, field, names);
    const stored = customFieldTypes[field.type].hasOptions && { stored: [before ?? null, after ?? null] as const };
    return changed([...above, field.name], value(before), value(after)).map(
      (change): Changed => ({ ...change, field: field.uuid, ...(stored && { stored: [...stored.stored] }) }),
    );
  });
}

/** Events refer to other records only by ids. */
function namesOf(definitions: Definitions): Names {
  return {
    user: (uuid) => shownUser(definitions, uuid),
    record: (id) => ({ id, fullName: "", entityType: "" }),
  };
}
