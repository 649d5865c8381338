import { custom, either, type Issue, type Path } from "../../base/contract/issues.ts";
import type { RecordKind } from "../../base/values/ids.ts";
import { comparable } from "../../base/values/text.ts";
import { findField, type Group, type ObjectType } from "../definitions/definitions.ts";
import { visibleGroup, visibleGroups } from "../definitions/roles.ts";
import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType, filterMembers } from "../events.ts";
import { RECORD_TYPES } from "./record-types.ts";
import type { Row, Viewer } from "./resource.ts";
import type { EventFilter, SubscribedEvent } from "./subscribed-events.ts";

/** Types of events whose filters can have the path of a change. */
const WITH_PATH = EVENT_TYPE_NAMES.filter((type) => filterMembers(type).includes("path"));

/**
 * Issues of the filters of subscriptions beyond their schema: all of them. A filter that no event can meet is refused,
 * as far as that is known now. docs/guides/webhooks.md#filters
 */
export function filterIssues(subscribedEvents: readonly SubscribedEvent[], subscribing: Viewer): Issue[] {
  return subscribedEvents.flatMap(({ eventType, filter = {} }, i) =>
    issuesOfFilter(eventType, filter, subscribing, ["subscribedEvents", i, "filter"]),
  );
}

/**
 * The entries of a webhook that a caller sees or takes over: those that they could send themselves.
 * docs/guides/webhooks.md#who-sees-what
 */
export function entriesSeenBy({ subscribedEvents }: Row, viewing: Viewer): SubscribedEvent[] {
  return (subscribedEvents as SubscribedEvent[]).filter((entry) => filterIssues([entry], viewing).length === 0);
}

function issuesOfFilter(eventType: EventType, filter: EventFilter, subscribing: Viewer, at: Path): Issue[] {
  if (filterMembers(eventType).length === 0)
    return Object.keys(filter).map((member) =>
      custom([...at, member], `Events of the type ${eventType} take no filter`),
    );
  const issues: Issue[] = [];
  const add = (member: keyof EventFilter, problem: string | null) => {
    if (problem !== null) issues.push(custom([...at, member], problem));
  };
  add("groupId", problemOfGroup(filter, subscribing));
  add("objectType", problemOfObjectType(eventType, filter, subscribing));
  add("path", problemOfPath(eventType, filter, subscribing));
  if (filter.value !== undefined && filter.path === undefined)
    add("value", 'A "value" belongs to an attribute: name the attribute with "path"');
  return issues;
}

function problemOfGroup({ groupId }: EventFilter, { definitions, caller }: Viewer): string | null {
  if (groupId === undefined || visibleGroup(definitions, caller, groupId)) return null;
  return `There is no group with the id ${groupId}`;
}

function problemOfObjectType(eventType: EventType, filter: EventFilter, subscribing: Viewer): string | null {
  const { objectType } = filter;
  if (objectType === undefined) return null;
  if (!filterMembers(eventType).includes("objectType"))
    return `Only events about objects have an object type, and ${eventType} is about others`;
  const groups = groupsOf(filter, subscribing);
  if (groups === null || groups.some(({ objectTypes }) => objectTypes.some(isNamed(objectType)))) return null;
  return `There is no object type "${objectType}" ${filter.groupId === undefined ? "in any group that you can see" : "in this group"}`;
}

function problemOfPath(eventType: EventType, filter: EventFilter, subscribing: Viewer): string | null {
  const { path } = filter;
  if (path === undefined) return null;
  if (!WITH_PATH.includes(eventType)) return `Only ${either(WITH_PATH)} take a path`;
  const kind = EVENT_TYPES[eventType].kind as RecordKind;
  const [first = "", ...names] = path;
  if (names.length === 0 && fieldsThatChange(kind).includes(first)) return null;
  if (first === "customFieldValues" && namesCustomField(kind, names, filter, subscribing)) return null;
  const customForm = kind === "object" ? '["customFieldValues", name]' : '["customFieldValues", group id, name]';
  return `No attribute of ${RECORD_TYPES[kind].table} has this path. There are ${either(fieldsThatChange(kind))}, each alone, and ${customForm} for a custom field that you can see`;
}

/** Fields of a kind of record whose changes `*.updated` events contain: those that writes set, and derived ones. */
function fieldsThatChange(kind: RecordKind): string[] {
  return Object.entries(RECORD_TYPES[kind].fields)
    .filter(([, { write, storage }]) => write !== null && (storage.shape === "column" || storage.shape === "links"))
    .map(([name]) => name);
}

/** True if the names after `customFieldValues` belong to a custom field that the caller can see. */
function namesCustomField(kind: RecordKind, names: string[], filter: EventFilter, subscribing: Viewer): boolean {
  if (kind === "object") {
    const [name] = names;
    return name !== undefined && names.length === 1 && someTypeHasField(name, filter, subscribing);
  }
  const [groupId, name] = names;
  if (groupId === undefined || name === undefined) return false;
  const group = visibleGroup(subscribing.definitions, subscribing.caller, groupId);
  return group !== undefined && findField(group, kind, name) !== undefined;
}

/** Whether an object type that the filter leaves has a field of this name. */
function someTypeHasField(name: string, filter: EventFilter, subscribing: Viewer): boolean {
  const groups = groupsOf(filter, subscribing);
  if (groups === null) return true;
  return groups.some((group) =>
    group.objectTypes
      .filter((type) => filter.objectType === undefined || isNamed(filter.objectType)(type))
      .some(({ uuid }) => findField(group, uuid, name) !== undefined),
  );
}

/** Names are compared after NFC. docs/guides/values.md#text */
function isNamed(wanted: string): (type: ObjectType) => boolean {
  const key = comparable(wanted);
  return ({ name }) => comparable(name) === key;
}

/**
 * The groups whose objects can meet a filter, as far as the caller sees them. Null when the filter names a group that
 * they do not see:
 * that is an issue, and no further one follows from it.
 */
function groupsOf({ groupId }: EventFilter, { definitions, caller }: Viewer): Group[] | null {
  if (groupId === undefined) return visibleGroups(definitions, caller);
  const group = visibleGroup(definitions, caller, groupId);
  return group ? [group] : null;
}
