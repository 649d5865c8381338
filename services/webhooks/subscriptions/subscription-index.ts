import type { Uuid } from "../../../base/values/ids.ts";
import type { EventType } from "../../../model/events.ts";
import type { SubscribedEvent } from "../../../model/resources/subscribed-events.ts";
import { type EventTraits, pathKey, textKey, valueKeys } from "./event-traits.ts";

/** An active webhook, as far as it matters which events it gets. */
export interface Subscriber {
  webhookId: Uuid;
  /** User whose sight decides. */
  ownerId: Uuid;
  /** Events up to this position are not for it. */
  sinceSeq: number;
  subscribedEvents: SubscribedEvent[];
}

/** The subscriptions of a workspace, indexed by the traits of events. */
export interface SubscriptionIndex {
  /** Number of entries of all webhooks together. */
  size: number;
  /** The types of events for which any webhook has an entry. */
  types(): EventType[];
  /**
   * The webhooks that may want an event, each once: all that want it, and perhaps some whose owner does not see what
   * their filter asks for. What it costs depends on the event and on how many are found, not on how many webhooks there
   * are.
   * @param visit is called for each place in the index that is looked at
   */
  find(traits: EventTraits, visit?: () => void): Set<Subscriber>;
}

/**
 * A node of the index, which is a tree with one level for each of `EVENT_KEYS`. An entry that asks for a text of this
 * key continues below that text, and an entry that asks for nothing below `any`. The nodes of the last level hold the
 * webhooks.
 */
interface Place {
  any: Place | null;
  by: Map<string, Place> | null;
  subscribers: Subscriber[] | null;
}

/**
 * Keys of an event by level: its branches in the index. The values are those of the path that was taken before them.
 */
const EVENT_KEYS: readonly ((traits: EventTraits, path: string | null) => Iterable<string>)[] = [
  ({ type }) => [type],
  ({ groups }) => groups,
  ({ objectType }) => (objectType === null ? [] : [objectType]),
  ({ paths }) => paths.keys(),
  ({ paths }, path) => (path === null ? [] : (paths.get(path) ?? [])),
];
const PATH_LEVEL = 3;

/** Keys of an entry by level; null where it leaves them open. */
function keysOf({ eventType, filter = {} }: SubscribedEvent): (string[] | null)[] {
  const { groupId, objectType, path, value } = filter;
  return [
    [eventType],
    groupId === undefined ? null : [groupId],
    objectType === undefined ? null : [textKey(objectType)],
    path === undefined ? null : [pathKey(path)],
    value === undefined ? null : valueKeys(value),
  ];
}

/** Makes the index of the active webhooks of a workspace. */
export function indexSubscriptions(subscribers: readonly Subscriber[]): SubscriptionIndex {
  const root = newPlace();
  let size = 0;
  for (const subscriber of subscribers) {
    size += subscriber.subscribedEvents.length;
    for (const entry of subscriber.subscribedEvents) add(root, keysOf(entry), subscriber);
  }
  return {
    size,
    types: () => [...(root.by?.keys() ?? [])] as EventType[],
    find(traits, visit) {
      const found = new Set<Subscriber>();
      walk(root, traits, (place) => {
        visit?.();
        for (const subscriber of place.subscribers ?? []) found.add(subscriber);
      });
      return found;
    },
  };
}

/**
 * Visits the places that an event reaches below a place.
 * @param path the path of the event by which the place was reached; null for none
 */
function walk(
  place: Place,
  traits: EventTraits,
  visit: (place: Place) => void,
  level = 0,
  path: string | null = null,
): void {
  if (place.any) {
    visit(place.any);
    walk(place.any, traits, visit, level + 1, path);
  }
  if (!place.by) return;
  for (const key of EVENT_KEYS[level]?.(traits, path) ?? []) {
    const next = place.by.get(key);
    if (!next) continue;
    visit(next);
    walk(next, traits, visit, level + 1, level === PATH_LEVEL ? key : path);
  }
}

/** Puts a webhook at the places of an entry: one, or one for each key of its value. */
function add(place: Place, [keys, ...rest]: readonly (string[] | null)[], subscriber: Subscriber): void {
  if (keys === undefined) {
    place.subscribers ??= [];
    place.subscribers.push(subscriber);
    return;
  }
  if (keys === null) {
    place.any ??= newPlace();
    add(place.any, rest, subscriber);
    return;
  }
  place.by ??= new Map();
  for (const key of keys) {
    const below = place.by.get(key) ?? newPlace();
    place.by.set(key, below);
    add(below, rest, subscriber);
  }
}

function newPlace(): Place {
  return { any: null, by: null, subscribers: null };
}
