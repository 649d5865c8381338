import { toId, type Uuid, uuidOf } from "../../../base/values/ids.ts";
import type { Changed } from "../../../model/log.ts";
import type { RecordType } from "../../../model/resources/record-type.ts";
import type { ChangedValue, Plan, PlannedLinks, WriteContext } from "../../records/draft.ts";
import type { FoundRecords } from "../../records/found.ts";
import { withValues } from "../../records/judge-values.ts";
import type { Membership, RecordRow } from "../../records/select.ts";
import { fieldOf, storedBefore } from "./field-values.ts";

/**
 * The plan that gives fields of a record the values that they had before changes; null when there are none. It is made
 * of stored values: a write would judge and derive anew what was right once.
 * @param found the records that the values name and that are there, by the ids under which they do
 */
export function revertedPlan(
  writing: Pick<WriteContext, "definitions">,
  resource: RecordType,
  current: RecordRow,
  changes: readonly Changed[],
  found: FoundRecords,
): Plan | null {
  if (changes.length === 0) return null;
  const named = (name: string) => changes.find(({ path }) => path.length === 1 && path[0] === name);
  const groups = named("groups");
  const before = groups ? membershipsBefore(writing, current.memberships, groups) : current.memberships;
  const values = changes.flatMap((change) => valueBefore(writing, before, change, found));
  const memberships = values.length > 0 ? withValues(before, values) : before;
  const ids = (list: readonly Membership[]) => list.map(({ groupId }) => groupId);
  const [old, now] = [ids(current.memberships), ids(memberships)];
  return {
    uuid: current.uuid,
    isNew: false,
    current,
    // The type of an object stays, so nothing of the scope is written.
    scope: { entity: "person", homeGroup: null },
    columns: columnsBefore(resource, current, named),
    memberships: groups || values.length > 0 ? memberships : null,
    addedGroups: now.filter((groupId) => !old.includes(groupId)),
    removedGroups: old.filter((groupId) => !now.includes(groupId)),
    warnings: [],
    changedValues: values,
    links: linksBefore(resource, current, named, found),
  };
}

type Named = (name: string) => Changed | undefined;

/** All columns, or null when none of them changes. */
function columnsBefore(resource: RecordType, current: RecordRow, named: Named): Plan["columns"] {
  const columns: Record<string, unknown> = {};
  let isChanged = false;
  for (const { name, storage } of resource.columns) {
    const change = named(name);
    columns[name] = current[name];
    if (!change) continue;
    isChanged = true;
    const { before } = change;
    const isUnset = before === null || (Array.isArray(before) && before.length === 0);
    columns[name] = isUnset ? storage.unset : storage.store(before);
  }
  return isChanged ? columns : null;
}

function linksBefore(resource: RecordType, current: RecordRow, named: Named, found: FoundRecords): Plan["links"] {
  const links = new Map<string, PlannedLinks>();
  for (const { name } of resource.links) {
    const change = named(name);
    if (!change) continue;
    const after = (change.before as { id: string }[]).flatMap(({ id }) => found.get(id) ?? []);
    const unique = new Map(after.map(({ uuid, label }) => [uuid, { uuid, label }]));
    links.set(name, { before: current[name] as Uuid[], after: [...unique.values()] });
  }
  return links;
}

/** The memberships that a record had before its groups changed, with the values that it has there now. */
function membershipsBefore(
  { definitions }: Pick<WriteContext, "definitions">,
  now: readonly Membership[],
  { before }: Changed,
): Membership[] {
  const wanted = (before as { id: string }[]).flatMap(({ id }) => {
    const uuid = uuidOf("group", id);
    return uuid && definitions.groups.has(uuid) ? [uuid] : [];
  });
  const deleted = now.filter(({ groupId }) => !definitions.groups.has(groupId));
  const known = new Map(now.map((membership) => [membership.groupId, membership]));
  return [...wanted.map((groupId) => known.get(groupId) ?? { groupId, values: {} }), ...deleted];
}

/** The value that a custom field had before, if the record is in its group. */
function valueBefore(
  writing: Pick<WriteContext, "definitions">,
  memberships: readonly Membership[],
  change: Changed,
  found: FoundRecords,
): ChangedValue[] {
  const at = fieldOf(writing, change);
  if (!at || !memberships.some(({ groupId }) => groupId === at.group.uuid)) return [];
  const stored = storedBefore(writing, at.field, change);
  return [
    { groupId: at.group.uuid, fieldId: at.field.uuid, stored: Array.isArray(stored) ? thatAre(stored, found) : stored },
  ];
}

/** Entries of a list without the records that are gone; null when nothing is left. */
function thatAre(stored: string[], found: FoundRecords): string[] | null {
  const left = stored.flatMap((entry) => {
    const kind = (["person", "company", "object"] as const).find((one) => uuidOf(one, entry));
    if (!kind) return [entry];
    const record = found.get(entry);
    return record ? [toId(kind, record.uuid) as string] : [];
  });
  return left.length > 0 ? [...new Set(left)] : null;
}
