import type { SeenEvent } from "../../../engine/feed/sight.ts";
import type { Definitions } from "../../../model/definitions/definitions.ts";
import type { EventFilter, SubscribedEvent } from "../../../model/resources/subscribed-events.ts";
import { type EventTraits, pathKey, textKey, traitsOf, valueKeys } from "./event-traits.ts";

/**
 * Whether a webhook wants an event: one entry has its type, and a filter that it meets. Only what the owner of the
 * webhook sees of the event counts. docs/guides/webhooks.md#filters
 */
export function wants(
  subscribedEvents: readonly SubscribedEvent[],
  event: SeenEvent,
  definitions: Definitions,
): boolean {
  return matches(subscribedEvents, traitsOf(event, event.seenGroups, definitions));
}

/** The same, for code that asks for several webhooks of one owner. */
export function matches(subscribedEvents: readonly SubscribedEvent[], traits: EventTraits): boolean {
  return subscribedEvents.some(({ eventType, filter = {} }) => eventType === traits.type && meets(filter, traits));
}

/** True if an event meets every member of a filter. A `value` comes only with a `path`. */
function meets({ groupId, objectType, path, value }: EventFilter, traits: EventTraits): boolean {
  if (groupId !== undefined && !traits.groups.has(groupId)) return false;
  if (objectType !== undefined && textKey(objectType) !== traits.objectType) return false;
  if (path === undefined) return value === undefined;
  const values = traits.paths.get(pathKey(path));
  if (!values) return false;
  return value === undefined || valueKeys(value).some((key) => values.has(key));
}
