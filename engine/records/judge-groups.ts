import { custom } from "../../base/contract/issues.ts";
import type { Uuid } from "../../base/values/ids.ts";
import { unique } from "../../model/custom-fields/list.ts";
import { roleIn, visibleGroup } from "../../model/definitions/roles.ts";
import { type Draft, placeOf, type Writing } from "./draft.ts";
import { type Faults, needContributor } from "./faults.ts";
import type { Membership } from "./select.ts";
/** The groups of a record as a draft leaves them. */
export interface Memberships {
  after: Membership[];
  added: Uuid[];
  removed: Uuid[];
  changed: boolean;
}

/** Judges the groups that a draft names, and the role of the caller in those that it adds or removes. */
export function judgeGroups({ catalog, caller }: Writing, draft: Draft, faults: Faults): Memberships {
  const before = draft.current?.memberships ?? [];
  const { home } = draft.scope;
  if (home) {
    needContributor(home, caller, faults);
    return draft.current
      ? { after: before, added: [], removed: [], changed: false }
      : { after: [{ groupId: home.uuid, values: {} }], added: [home.uuid], removed: [], changed: true };
  }
  const sent = draft.sent.groups as { id: string }[] | undefined;
  if (sent === undefined) return { after: before, added: [], removed: [], changed: false };
  const known = new Map(before.map((membership) => [membership.groupId, membership]));
  const groups = sent.flatMap(({ id }, i) => {
    const group = visibleGroup(catalog, caller, id);
    if (group) return group;
    const message = `There is no group with the id ${id}`;
    const path = placeOf(draft, "groups", i);
    if (draft.unseenGroups === "warn") faults.warnings.push({ code: "GROUP_NOT_ADDED", message, path });
    else faults.issues.push(custom([...path, "id"], message));
    return [];
  });
  const wanted = unique(groups);
  const joined = wanted.filter(({ uuid }) => !known.has(uuid));
  for (const group of joined) needContributor(group, caller, faults);
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
  const ofWanted = wanted.map((group) => known.get(group.uuid) ?? { groupId: group.uuid, values: {} });
  const after =
    draft.groups === "add"
      ? [...before, ...ofWanted.filter(({ groupId }) => !known.has(groupId))]
      : [...ofWanted, ...kept];
  const added = joined.map(({ uuid }) => uuid);
  return { after, added, removed: [...isRemoved], changed: !sameGroups(before, after) };
}

function sameGroups(before: Membership[], after: Membership[]): boolean {
  return before.length === after.length && before.every(({ groupId }, i) => groupId === after[i]?.groupId);
}
