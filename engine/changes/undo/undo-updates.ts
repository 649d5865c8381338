import type { RecordKind, Uuid } from "../../../base/values/ids.ts";
import { uuidOf } from "../../../base/values/ids.ts";
import type { Group } from "../../../model/definitions/definitions.ts";
import { refuseRole } from "../../../model/definitions/roles.ts";
import type { Changed } from "../../../model/log.ts";
import type { RecordType } from "../../../model/resources/record-type.ts";
import { RECORD_TYPES } from "../../../model/resources/record-types.ts";
import { changed } from "../../events/diff.ts";
import { applyPlans } from "../../records/apply.ts";
import type { Plan } from "../../records/draft.ts";
import type { FoundRecords } from "../../records/found.ts";
import { lockByIds } from "../../records/found.ts";
import type { RecordRow } from "../../records/select.ts";
import { lockRows } from "../../records/write.ts";
import { shownChanges } from "../shown-changes.ts";
import { takenNames } from "../taken-names.ts";
import { fieldOf, presentValue } from "./field-values.ts";
import { revertedPlan } from "./reverted-plan.ts";
import type { LeftChange, Reason, Undoing } from "./undoing.ts";

/** The changes that a write has made to a record. */
export interface RecordChanges {
  uuid: Uuid;
  changes: readonly Changed[];
}

/**
 * Gives each field of records that still has the value which a write gave to it the value from before; the others are
 * told. No record may be there twice. docs/guides/history-and-undo.md#undo
 */
export async function undoUpdates(
  undoing: Undoing,
  kind: RecordKind,
  updates: readonly RecordChanges[],
): Promise<void> {
  const { writing } = undoing;
  const resource = RECORD_TYPES[kind];
  const rows = await lockRows(
    writing,
    resource,
    { entity: kind, homeGroup: null },
    updates.map(({ uuid }) => uuid),
  );
  const found = await lockBefore(undoing, updates);
  const plans: Plan[] = [];
  for (const { uuid, changes } of updates) {
    const row = rows.get(uuid);
    if (row?.uuid !== uuid) undoing.skip(kind, uuid, "gone");
    else {
      const plan = revertedPlan(writing, resource, row, revertible(undoing, resource, row, changes), found);
      if (plan) plans.push(plan);
    }
  }
  const free = await withFreeNames(undoing, resource, plans, updates);
  const made = await applyPlans(writing, resource, free);
  for (const [i, { version, uuid }] of made.entries())
    if (version !== free[i]?.current?.version) undoing.took(kind, uuid);
}

/** Those changes that can be taken back. It skips the others, as far as the caller sees them. */
function revertible(undoing: Undoing, resource: RecordType, row: RecordRow, changes: readonly Changed[]): Changed[] {
  const { writing } = undoing;
  const left = new Map<Reason, LeftChange[]>();
  const wanted = changes.filter((change) => {
    const now = presentValue(writing, resource, row, change);
    // A field or a group that is gone takes its values with it.
    if (now === undefined || changed(change.path, now, change.before).length === 0) return false;
    const isRefused = isRefusedTo(undoing, row, change);
    const reason = changed(change.path, now, change.after).length > 0 ? "changedSince" : isRefused ? "noAccess" : null;
    if (reason === null) return true;
    left.set(reason, [...(left.get(reason) ?? []), { ...change, now }]);
    return false;
  });
  for (const [reason, all] of left) {
    const seen = all.flatMap((one) =>
      shownChanges(writing, resource.kind, [one]).map((change) => ({ ...change, now: one.now })),
    );
    if (seen.length > 0 || reason === "noAccess") undoing.skip(resource.kind, row.uuid, reason, seen);
  }
  return wanted;
}

/** Whether the caller lacks a role that this change needed. docs/guides/history-and-undo.md#who-may-undo */
function isRefusedTo({ writing }: Undoing, row: RecordRow, change: Changed): boolean {
  return groupsOf(writing, row, change).some((group) => refuseRole(group, writing.caller, "contributor") !== null);
}

/** The groups whose contributors alone may make a change. */
function groupsOf({ definitions }: Undoing["writing"], row: RecordRow, change: Changed): Group[] {
  const value = fieldOf({ definitions }, change);
  if (value) return [value.group];
  if (change.path[0] === "groups") {
    const [before, after] = [change.before, change.after].map((list) => (list as { id: string }[]).map(({ id }) => id));
    const differing = [
      ...(before ?? []).filter((id) => !after?.includes(id)),
      ...(after ?? []).filter((id) => !before?.includes(id)),
    ];
    return differing.flatMap((id) => definitions.groups.get(uuidOf("group", id) as Uuid) ?? []);
  }
  // An object is written by contributors of its group.
  const home = row.objectTypeId === undefined ? undefined : row.memberships[0]?.groupId;
  const group = home && definitions.groups.get(home);
  return group ? [group] : [];
}

/** The records that the values before name, locked against deletion, by the ids under which they do. */
function lockBefore({ writing }: Undoing, updates: readonly RecordChanges[]): Promise<FoundRecords> {
  return lockByIds(
    writing,
    updates.flatMap(({ changes }) => changes.flatMap(({ before }) => idsIn(before))),
  );
}

function idsIn(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one) => {
    const { id }: { id?: unknown } = Object(one);
    return typeof id === "string" ? [id] : [];
  });
}

/** The plans, without the names that others have by now. It skips these. */
async function withFreeNames(
  undoing: Undoing,
  resource: RecordType,
  plans: readonly Plan[],
  updates: readonly RecordChanges[],
): Promise<Plan[]> {
  const { writing } = undoing;
  const field = resource.columns.find(({ storage }) => storage.unique);
  const unique = field?.storage.unique;
  if (!field || !unique) return [...plans];
  const isRenamed = ({ columns, current }: Plan) =>
    columns !== null && unique.key(columns[field.name]) !== unique.key(current?.[field.name]);
  const renamed = plans.filter(isRenamed);
  const taken = await takenNames(
    writing,
    resource,
    renamed.map(({ columns }) => columns ?? {}),
  );
  return plans.map((plan) => {
    if (!taken[renamed.indexOf(plan)]) return plan;
    const now = plan.current?.[field.name];
    const change = updates.find(({ uuid }) => uuid === plan.uuid)?.changes.find(({ path }) => path[0] === field.name);
    undoing.skip(resource.kind, plan.uuid, "nameTaken", change ? [{ ...change, now }] : []);
    return { ...plan, columns: { ...plan.columns, [field.name]: now } };
  });
}
