import { byId, kindOf, RECORD_KINDS, type RecordKind, type Uuid, uuidOf } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import type { Group } from "../../model/definitions/definitions.ts";
import { roleIn } from "../../model/definitions/roles.ts";
import type { Changed } from "../../model/log.ts";
import type { Viewer } from "../../model/resources/resource.ts";
import { nameRecords } from "../records/names.ts";
import type { TrashKind } from "./log-reads.ts";

/** Fields that name one thing. All others that name things are lists. */
const REFERENCES = ["entity", "parentNote"];

/**
 * Changes as a caller may see them now: without the values and the names of groups that the caller does not see, under
 * the present names of custom fields, and with null for a list without entries.
 * docs/guides/history-and-undo.md#history
 */
export function shownChanges({ definitions, caller }: Viewer, kind: TrashKind, changes: Changed[]): Changed[] {
  const sees = (group: Group | undefined) => group !== undefined && roleIn(group, caller.userId) !== null;
  const seesGroup = (id: string) => sees(byId(definitions.groups, "group", id));
  return changes.flatMap((change): Changed[] => {
    if (change.hidden) return [];
    const [first, groupId = ""] = change.path;
    const isValue = first === "customFieldValues";
    if (isValue && kind !== "object" && !seesGroup(groupId)) return [];
    const seen = first === "groups" ? ofSeenGroups(change, seesGroup) : [change];
    return seen.map(({ path, before, after, ...rest }) => ({
      ...rest,
      path: isValue ? presentPath({ definitions }, path, rest.field) : path,
      before: shownValue(path, before),
      after: shownValue(path, after),
    }));
  });
}

function ofSeenGroups(change: Changed, seesGroup: (id: string) => boolean): Changed[] {
  const [before, after] = [change.before, change.after].map((value) =>
    ((value ?? []) as { id: string }[]).filter(({ id }) => seesGroup(id)),
  );
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ ...change, before, after }];
}

/** The path of a custom value with the present name of its field; the last one of a field that is gone. */
function presentPath({ definitions }: Pick<Viewer, "definitions">, path: string[], field: Uuid | undefined): string[] {
  if (field === undefined) return path;
  for (const group of definitions.groups.values()) {
    const name = group.fieldsByUuid.get(field)?.name;
    if (name !== undefined) return [...path.slice(0, -1), name];
  }
  return path;
}

/** A value as answers show it: a reference itself, which the log keeps as a list of one, and null for an empty list. */
export function shownValue([first = ""]: string[], value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.length === 0 || REFERENCES.includes(first) ? (value[0] ?? null) : value;
}

/** Gives a value with the names of the things that it refers to: `{ id, fullName }`, or `{ id }` of what is gone. */
export type NamesOf = (value: unknown) => unknown;

/** The names of all things that changes refer to. One statement for each kind of record, and none without any. */
export async function namesIn(query: Query, { definitions, caller }: Viewer, changes: Changed[]): Promise<NamesOf> {
  const ids = new Set(changes.flatMap(({ before, after }) => [...referencesIn(before), ...referencesIn(after)]));
  const wanted = new Map<string, Uuid>();
  for (const id of ids) {
    const kind = RECORD_KINDS.find((one: RecordKind) => one === kindOf(id));
    const uuid = kind && uuidOf(kind, id);
    if (uuid) wanted.set(id, uuid);
  }
  const names = new Map<string, string>();
  for (const { id, fullName } of await nameRecords(query, caller.workspaceId, wanted)) names.set(id, fullName);
  for (const { id, fullName } of definitions.users.values()) if (ids.has(id)) names.set(id, fullName);
  for (const { id, name } of definitions.groups.values()) if (ids.has(id)) names.set(id, name);
  const named = (id: string) => (names.has(id) ? { id, fullName: names.get(id) } : { id });
  return (value) => {
    if (Array.isArray(value)) return value.map((one) => (idIn(one) === undefined ? one : named(idIn(one) as string)));
    const id = idIn(value);
    return id === undefined ? value : named(id);
  };
}

function referencesIn(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one) => idIn(one) ?? []);
}

function idIn(value: unknown): string | undefined {
  const { id }: { id?: unknown } = Object(value);
  return typeof id === "string" ? id : undefined;
}
