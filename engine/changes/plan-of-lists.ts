import type { Uuid } from "../../base/values/ids.ts";
import type { Tie } from "../../model/log.ts";
import type { Plan } from "../records/draft.ts";
import type { RecordRow } from "../records/select.ts";

/** A plan that changes entries of lists of a record that is there, and nothing else. */
export interface PlanOfLists extends Plan {
  current: RecordRow;
}

/** A plan that changes nothing yet. */
export function planOfLists(current: RecordRow): PlanOfLists {
  return {
    uuid: current.uuid,
    isNew: false,
    current,
    // The type of an object stays, so nothing of the scope is written.
    scope: { entity: "person", homeGroup: null },
    columns: null,
    memberships: null,
    addedGroups: [],
    removedGroups: [],
    warnings: [],
    changedValues: [],
    links: new Map(),
  };
}

/** Changes a list of links, by uuids, or the value of a custom field, by ids, if the record is in its group. */
export function mapList(plan: PlanOfLists, list: Tie["list"], map: (entries: readonly string[]) => string[]): void {
  if (typeof list === "string") mapLinks(plan, list, map);
  else mapValue(plan, list, map);
}

function mapLinks(plan: PlanOfLists, name: string, map: (entries: readonly string[]) => string[]): void {
  const before = plan.current[name] as Uuid[];
  const now = plan.links.get(name)?.after.flatMap((link) => ("uuid" in link ? [link.uuid] : [])) ?? before;
  plan.links.set(name, { before, after: map(now).map((uuid) => ({ uuid: uuid as Uuid, label: "" })) });
}

function mapValue(
  plan: PlanOfLists,
  { groupId, fieldId }: { groupId: Uuid; fieldId: Uuid },
  map: (entries: readonly string[]) => string[],
): void {
  const memberships = plan.memberships ?? plan.current.memberships;
  const membership = memberships.find((one) => one.groupId === groupId);
  const now = membership?.values[fieldId] ?? [];
  if (!membership || !Array.isArray(now)) return;
  const stored = map(now);
  const values = { ...membership.values, [fieldId]: stored };
  plan.memberships = memberships.map((one) => (one === membership ? { groupId, values } : one));
  const others = plan.changedValues.filter((value) => value.groupId !== groupId || value.fieldId !== fieldId);
  plan.changedValues = [...others, { groupId, fieldId, stored }];
}
