import { byId, toId, type Uuid } from "../../../base/values/ids.ts";
import { comparable, comparableEmail } from "../../../base/values/text.ts";
import type { PublishedEvent } from "../../../engine/feed/published.ts";
import type { Definitions } from "../../../model/definitions/definitions.ts";
import { type Change, EVENT_TYPES, type EventType } from "../../../model/events.ts";

/** Traits of an event for filters, as texts that are equal when a filter calls them equal. */
export interface EventTraits {
  type: EventType;
  /**
   * Ids of the groups that the record is in, or was in when it was deleted; of `*.groups_updated` those that changed.
   */
  groups: ReadonlySet<string>;
  /** The name of the object's type, as `textKey` gives it. Only events about objects have one. */
  objectType: string | null;
  /** Key of each changed path → keys of its new values. They are made when somebody asks for them. */
  readonly paths: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Traits of an event for filters.
 * @param groups the groups of the person or company that count: for the reader of the event, those that they see
 */
export function traitsOf(event: PublishedEvent, groups: readonly Uuid[], definitions: Definitions): EventTraits {
  const { home, objectType, changes = [] } = event.body;
  let paths: EventTraits["paths"] | undefined;
  return {
    type: event.type,
    groups: EVENT_TYPES[event.type].isOfGroups
      ? changedGroups(changes)
      : new Set((home === undefined ? groups : [home]).map((uuid) => toId("group", uuid))),
    objectType: objectType === undefined ? null : textKey(objectType),
    get paths() {
      paths ??= pathsOf(changes, definitions);
      return paths;
    },
  };
}

function pathsOf(changes: readonly Change[], definitions: Definitions): EventTraits["paths"] {
  const paths = new Map<string, Set<string>>();
  for (const change of changes) {
    const key = pathKey(change.path);
    const keys = paths.get(key) ?? new Set();
    paths.set(key, keys);
    for (const value of newValues(change)) addKeys(keys, value, definitions);
  }
  return paths;
}

/** Names of fields are compared after NFC. docs/guides/values.md#text */
export function pathKey(path: readonly string[]): string {
  return JSON.stringify(path.map(comparable));
}

export function textKey(text: string): string {
  return comparable(text);
}

/** The keys under which a filter's `value` is found: as it is, and as the e-mail address of a user. */
export function valueKeys(value: string): string[] {
  return value.includes("@") ? [plainKey(value), emailKey(value)] : [plainKey(value)];
}

/** A user has two keys, and an address in a list of e-mail addresses only one: that list compares letter case. */
const plainKey = (text: string) => `=${comparable(text)}`;
const emailKey = (email: string) => `@${comparableEmail(email)}`;

/** New values of a change: the scalar that was set, or the entries that were added. */
function newValues({ type, value }: Change): unknown[] {
  if (type === "remove" || value === undefined) return [];
  return type === "add" && Array.isArray(value) ? value : [value];
}

function addKeys(keys: Set<string>, value: unknown, definitions: Definitions): void {
  if (!isReference(value)) {
    keys.add(plainKey(String(value)));
    return;
  }
  keys.add(plainKey(value.id));
  const user = byId(definitions.users, "user", value.id);
  if (user && !user.removed) keys.add(emailKey(user.email));
}

function changedGroups(changes: readonly Change[]): Set<string> {
  const entries = changes.filter(({ path }) => path[0] === "groups").flatMap(({ value }) => value);
  return new Set(entries.filter(isReference).map(({ id }) => id));
}

function isReference(value: unknown): value is { id: string } {
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";
}
