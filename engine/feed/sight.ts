import { byId, type Uuid } from "../../base/values/ids.ts";
import type { Definitions, Group } from "../../model/definitions/definitions.ts";
import { roleIn } from "../../model/definitions/roles.ts";
import type { Change } from "../../model/events.ts";
import type { PublishedEvent } from "./published.ts";

/** Reader of events, and the workspace as it is at this moment. */
export interface Viewer {
  definitions: Definitions;
  userId: Uuid;
}

/** Part of an event that one reader may see. */
export interface SeenEvent extends PublishedEvent {
  /** The groups of the person or company, as far as they are seen. */
  seenGroups: Uuid[];
  /** When the reader sees all changes, this is the `body` object of the event itself, and no copy. */
  body: PublishedEvent["body"];
}

/**
 * An event as a user may see it now: its changes cut to the groups that they see. Null when nothing of it is for them.
 * docs/guides/events.md#who-sees-what
 */
export function seenBy(event: PublishedEvent, { definitions, userId }: Viewer): SeenEvent | null {
  const user = definitions.users.get(userId);
  if (!user || user.removed) return null;
  const sees = (group: Group | undefined) => group !== undefined && roleIn(group, userId) !== null;
  const seesHome = (uuid: Uuid | null | undefined) => !uuid || sees(definitions.groups.get(uuid));
  const { home, leftHome, users, groups = [], changes } = event.body;
  // As it was when the event was written, and, of a note or reminder, as it is now.
  for (const sight of [{ home, users }, event.sight])
    if (!seesHome(sight?.home) || (sight?.users && !sight.users.includes(userId))) return null;
  const seenGroups = groups.filter((uuid) => sees(definitions.groups.get(uuid)));
  if (!changes) return { ...event, seenGroups };
  const seesGroup = (id: string) => sees(byId(definitions.groups, "group", id));
  const seen = changes.flatMap((change) => seenPart(change, seesGroup, seesHome(leftHome)) ?? []);
  if (seen.length === 0) return null;
  const isWhole = seen.length === changes.length && seen.every((part, i) => part === changes[i]);
  return { ...event, seenGroups, body: isWhole ? event.body : { ...event.body, changes: seen } };
}

/**
 * Whether two users see the same of an event, so that it has the same text for both. Both come from `seenBy` of one
 * event.
 */
export function isSameSight(one: SeenEvent, other: SeenEvent): boolean {
  if (one.body === other.body) return true;
  const [changes = [], others = []] = [one.body.changes, other.body.changes];
  return changes.length === others.length && changes.every((change, i) => isSamePart(change, others[i]));
}

/** Whether a seen change is the change itself, or one with some of its entries. */
function isSamePart(one: Change, other: Change | undefined): boolean {
  if (one === other) return true;
  // Two groups may have equal fields with equal values, so equal entries are not enough.
  if (one.path !== other?.path || one.type !== other.type) return false;
  if (!Array.isArray(one.value) || !Array.isArray(other.value)) return false;
  const entries: unknown[] = other.value;
  return one.value.length === entries.length && one.value.every((entry, i) => entry === entries[i]);
}

/**
 * Part of a change that a reader sees: groups that they see, and values of those groups.
 * @param seesLeft whether the reader sees the object that a reminder was about before it was moved
 */
function seenPart(change: Change, seesGroup: (id: string) => boolean, seesLeft: boolean): Change | null {
  const [first, second = ""] = change.path;
  if (first === "entity" && change.type === "remove") return seesLeft ? change : null;
  // Values of objects have no group in their path; a reader who does not see the object's group sees nothing of the
  // event.
  if (first === "customFieldValues" && change.path.length === 3) return seesGroup(second) ? change : null;
  if (first !== "groups") return change;
  const value = (change.value as { id: string }[]).filter(({ id }) => seesGroup(id));
  if (value.length === 0) return null;
  return value.length === (change.value as unknown[]).length ? change : { ...change, value };
}
