import { toId, type Uuid } from "../../base/values/ids.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import type { Names, StoredValue } from "../../model/custom-fields/type.ts";
import type { Definitions, EntityKey, Group } from "../../model/definitions/definitions.ts";
import { shownUser } from "../../model/definitions/users.ts";
import { EVENT_TYPES } from "../../model/events.ts";
import type { ColumnStorage } from "../../model/fields/field.ts";
import { type Changed, type LogBody, type LogEntry, updatedType } from "../../model/log.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { changed } from "../events/diff.ts";
import type { RecordRow } from "./select.ts";

/**
 * The entry of the log for a record that a write has left in another state: what was made, and what became of its
 * fields, links, groups and custom values. None when nothing has changed. All ways of writing records come through
 * here.
 * docs/guides/events.md#which-events-a-change-makes
 * @param before null for a record that was made
 */
export function recordEntry(
  resource: RecordType,
  definitions: Definitions,
  before: RecordRow | null,
  after: RecordRow,
): LogEntry[] {
  const { kind } = resource;
  const recordId = after.uuid;
  const body = contextOf(resource, definitions, after);
  if (!before) return [{ type: `${kind}.created`, recordId, body }];
  const changes = [
    ...resource.columns.flatMap(({ name, storage }) => columnDiff(name, storage, before[name], after[name])),
    ...resource.links.flatMap(({ name, storage: { target } }) => {
      const references = (row: RecordRow) => (row[name] as Uuid[]).map((uuid) => ({ id: toId(target, uuid) }));
      return changed([name], references(before), references(after));
    }),
    ...valuesDiff(resource, definitions, before, after),
  ];
  const isInGroups = `${kind}.groups_updated` in EVENT_TYPES;
  const groups = isInGroups ? changed(["groups"], groupsOf(definitions, before), groupsOf(definitions, after)) : [];
  if (changes.length + groups.length === 0) return [];
  const type = updatedType(kind, { fields: changes.length > 0, groups: groups.length > 0 });
  return [{ type, recordId, body: { ...body, changes: [...changes, ...groups] } }];
}

/** The entry of a deleted record, from its former row. docs/guides/events.md#the-event */
export function deletedEntry(resource: RecordType, definitions: Definitions, row: RecordRow): LogEntry {
  const type = `${resource.kind}.deleted` as const;
  const { details: told = {} } = EVENT_TYPES[type];
  const details = resource.columns.flatMap(({ name, storage }) =>
    Object.hasOwn(told, name) ? [[name, presented(storage, row[name])]] : [],
  );
  return {
    type,
    recordId: row.uuid,
    body: { ...contextOf(resource, definitions, row), details: Object.fromEntries(details) },
  };
}

/**
 * Users who may see the event, and values for the filters of webhooks: the groups of a person or company; the group and
 * the type of an object.
 */
function contextOf({ kind }: RecordType, definitions: Definitions, { memberships, objectTypeId }: RecordRow): LogBody {
  const groups = memberships.map(({ groupId }) => groupId);
  if (kind !== "object") return { groups };
  const [home] = groups;
  const type = home && definitions.groups.get(home)?.objectTypes.find(({ uuid }) => uuid === objectTypeId);
  return { ...(home && { home }), ...(type && { objectType: type.name }) };
}

function columnDiff(name: string, storage: ColumnStorage, before: unknown, after: unknown): Changed[] {
  if (before === after) return [];
  return changed([name], shown(storage, before), shown(storage, after));
}

/** A value as answers show it; null for one that is unset, whatever it is answered as. */
function shown(storage: ColumnStorage, stored: unknown): unknown {
  return stored === storage.unset ? null : presented(storage, stored);
}

/** Rows hold the texts of PostgreSQL, and what writes have stored in them. Both are shown alike. */
function presented({ type, present }: ColumnStorage, stored: unknown): unknown {
  if (stored === null) return null;
  return type === "json" ? stored : present(String(stored));
}

/** Deleted groups stay in rows, and events no longer name them. */
function groupsOf(definitions: Definitions, { memberships }: RecordRow): { id: string }[] {
  return memberships.flatMap(({ groupId }) =>
    definitions.groups.has(groupId) ? [{ id: toId("group", groupId) }] : [],
  );
}

/**
 * Changes of custom values, in the groups that the record is in afterwards: values that went with a group are not among
 * them.
 */
function valuesDiff(resource: RecordType, definitions: Definitions, before: RecordRow, after: RecordRow): Changed[] {
  if (before.memberships === after.memberships) return [];
  const valuesBefore = new Map(before.memberships.map(({ groupId, values }) => [groupId, values]));
  const names = namesOf(definitions);
  return after.memberships.flatMap(({ groupId, values }) => {
    const group = definitions.groups.get(groupId);
    const old = valuesBefore.get(groupId) ?? {};
    if (!group || old === values) return [];
    const isObject = resource.kind === "object";
    const above = isObject ? ["customFieldValues"] : ["customFieldValues", group.id];
    const entity: EntityKey = isObject ? (after.objectTypeId as Uuid) : resource.kind;
    return fieldsDiff(group, entity, above, { old, now: values }, names);
  });
}

function fieldsDiff(
  group: Group,
  entity: EntityKey,
  above: string[],
  { old, now }: Record<"old" | "now", Record<Uuid, StoredValue>>,
  names: Names,
): Changed[] {
  return (group.fields.get(entity) ?? []).flatMap((field) => {
    const [before, after] = [old[field.uuid], now[field.uuid]];
    if (before === after) return [];
    const value = (stored: StoredValue | undefined) =>
      stored === undefined ? null : customFieldTypes[field.type].present(stored as never, field, names);
    return changed([...above, field.name], value(before), value(after));
  });
}

/** Events refer to other records only by ids. */
function namesOf(definitions: Definitions): Names {
  return {
    user: (uuid) => shownUser(definitions, uuid),
    record: (id) => ({ id, fullName: "", entityType: "" }),
  };
}
