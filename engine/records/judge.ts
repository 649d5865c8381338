import { ApiError, unprocessable, unsaved } from "../../base/contract/errors.ts";
import { custom, tooBig } from "../../base/contract/issues.ts";
import { newUuid, type Uuid } from "../../base/values/ids.ts";
import { unique } from "../../model/custom-fields/list.ts";
import type { Group } from "../../model/definitions/definitions.ts";
import { roleIn, visibleGroup } from "../../model/definitions/roles.ts";
import type { LinksStorage } from "../../model/fields/field.ts";
import { nameKey } from "../../model/fields/name.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import {
  type Draft,
  type KeptLink,
  type Plan,
  type PlannedLink,
  type PlannedLinks,
  placeOf,
  type Verdict,
  type WriteContext,
} from "./draft.ts";
import { type Faults, needContributor } from "./faults.ts";
import type { Found } from "./found.ts";
import { refuseReplacing } from "./judge-kept.ts";
import { judgeValues, withValues } from "./judge-values.ts";
import type { Membership } from "./select.ts";
import { refuseBytes } from "./value-bytes.ts";

/**
 * Judges a draft by the rules that the schema cannot see: groups, roles, references, custom values. Returns the plan
 * for writing it, or the error that refuses it, with all issues. Runs no SQL: `found` has the records that the draft
 * names.
 */
export function judge(writing: WriteContext, resource: RecordType, draft: Draft, found: Found): Verdict {
  const faults: Faults = { forbidden: new Set(), issues: [], warnings: [], definitional: false };
  const memberships = judgeGroups(writing, draft, faults);
  const values = judgeValues(writing, draft, memberships.after, found, faults);
  const links = judgeLinks(resource, draft, found, faults);
  if (draft.keeps !== undefined) refuseReplacing(writing, resource, draft, values, faults);
  if (faults.forbidden.size > 0) return { error: new ApiError("FORBIDDEN", [...faults.forbidden].join(" ")) };
  if (faults.issues.length > 0) {
    const error = unprocessable(faults.issues);
    return { error: faults.definitional ? unsaved(error) : error };
  }
  const { current } = draft;
  const after = values.length > 0 ? withValues(memberships.after, values) : memberships.after;
  const refusal = values.length > 0 ? refuseBytes(current?.memberships ?? [], after) : null;
  if (refusal !== null) return { error: unprocessable([custom(placeOf(draft, "customFieldValues"), refusal)]) };
  const plan: Plan = {
    uuid: current?.uuid ?? draft.uuid ?? newUuid(),
    isNew: current === null,
    current,
    scope: draft.scope,
    columns: changedColumns(resource, draft),
    memberships: memberships.changed || values.length > 0 ? after : null,
    addedGroups: memberships.added,
    removedGroups: memberships.removed,
    warnings: faults.warnings,
    changedValues: values,
    links,
  };
  return { plan };
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

/** The groups of a record as a draft leaves them. */
interface Memberships {
  after: Membership[];
  added: Uuid[];
  removed: Uuid[];
  changed: boolean;
}

/** Judges the groups that a draft names, and the role of the caller in those that it adds or removes. */
function judgeGroups({ definitions, caller }: WriteContext, draft: Draft, faults: Faults): Memberships {
  const before = draft.current?.memberships ?? [];
  const { homeGroup } = draft.scope;
  if (homeGroup) {
    needContributor(homeGroup, caller, faults);
    return draft.current
      ? { after: before, added: [], removed: [], changed: false }
      : { after: [{ groupId: homeGroup.uuid, values: {} }], added: [homeGroup.uuid], removed: [], changed: true };
  }
  const sent = draft.sent.groups as { id: string }[] | undefined;
  if (sent === undefined) return { after: before, added: [], removed: [], changed: false };
  const known = new Map(before.map((membership) => [membership.groupId, membership]));
  const groups = sent.flatMap(({ id }, i) => {
    const group = visibleGroup(definitions, caller, id);
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
    const group = definitions.groups.get(groupId);
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

/** Judges the links of a draft. Gives, by field, the lists that it changes. */
function judgeLinks(resource: RecordType, draft: Draft, found: Found, faults: Faults): Map<string, PlannedLinks> {
  const changed = new Map<string, PlannedLinks>();
  for (const { name, storage } of resource.links) {
    const sent = draft.sent[name] as { id?: string; name?: string }[] | undefined;
    if (sent === undefined) continue;
    const links = sent.flatMap((reference, i) => {
      const link = linkTo(storage, reference, found, draft.scope.homeGroup);
      const where = draft.scope.homeGroup ? ` in the group "${draft.scope.homeGroup.name}"` : "";
      if (!link)
        faults.issues.push(
          custom(
            [...placeOf(draft, name), i, "id"],
            `There is no ${storage.target} with the id ${reference.id}${where}`,
          ),
        );
      return link ?? [];
    });
    const before = (draft.current?.[name] as Uuid[] | undefined) ?? [];
    const kept = draft.lists === "add" ? before.map((uuid): KeptLink => ({ uuid, label: null })) : [];
    const after = [
      ...new Map(
        [...kept, ...links].map((link) => ["uuid" in link ? link.uuid : nameKey(link.newCompany), link]),
      ).values(),
    ];
    const max = listMax(resource, name);
    if (kept.length > 0 && after.length > max) faults.issues.push(tooBig(placeOf(draft, name), "array", max));
    const same = before.length === after.length && after.every((link, i) => "uuid" in link && link.uuid === before[i]);
    if (!same) changed.set(name, { before, after });
  }
  return changed;
}

/** Most entries of a list in a body. */
export function listMax({ createBody }: RecordType, name: string): number {
  return createBody.properties[name]?.maxItems ?? Number.POSITIVE_INFINITY;
}

/**
 * The link that a reference asks for; undefined when the record is not there, or is not in the group of the object.
 * docs/guides/objects.md#links
 */
function linkTo(
  storage: LinksStorage,
  { id, name }: { id?: string; name?: string },
  found: Found,
  homeGroup: Group | null,
): PlannedLink | undefined {
  if (id !== undefined)
    return homeGroup && !found.isIn(id, homeGroup.uuid) ? undefined : found.record(storage.target, id);
  const trimmed = String(name).trim();
  return found.companyNamed(trimmed) ?? { newCompany: trimmed };
}
