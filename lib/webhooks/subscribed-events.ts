import type { EventType } from "../events/event.ts";

/** Which events of a type a webhook wants: those that meet every member. */
export interface EventFilter {
  groupId?: string;
  objectType?: string;
  path?: string[];
  value?: string;
}

/** One entry of `subscribedEvents`, as it was sent. */
export interface SubscribedEvent {
  eventType: EventType;
  filter?: EventFilter;
}
