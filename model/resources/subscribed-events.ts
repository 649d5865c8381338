import { closed, idSchema, oneOf, plainText, type Static, Type } from "../../base/contract/schema.ts";
import {
  FIELD_NAME_LENGTH_MAX,
  SUBSCRIBED_EVENTS_MAX,
  WEBHOOK_FILTER_PATH_MAX,
  WEBHOOK_FILTER_TEXT_LENGTH_MAX,
} from "../../config/limits.ts";
import { EVENT_TYPE_NAMES, type EventType } from "../events.ts";

const filterMembers = {
  groupId: Type.Optional(idSchema("group")),
  objectType: Type.Optional(plainText(WEBHOOK_FILTER_TEXT_LENGTH_MAX, { example: "Deals" })),
  path: Type.Optional(
    Type.Array(plainText(FIELD_NAME_LENGTH_MAX), {
      minItems: 1,
      maxItems: WEBHOOK_FILTER_PATH_MAX,
      example: ["jobTitle"],
    }),
  ),
  value: Type.Optional(plainText(WEBHOOK_FILTER_TEXT_LENGTH_MAX, { example: "Analyst" })),
};

/** Members of a filter of a subscription. Whether they fit the type of its event, subscription-filters.ts judges. */
const filterSchema = closed(filterMembers, { title: "EventFilterInput" });

/** Which events of a type a webhook wants: those that meet every member. docs/guides/webhooks.md#filters */
export type EventFilter = Static<typeof filterSchema>;

/** One entry of `subscribedEvents`, as it was sent. */
export interface SubscribedEvent {
  eventType: EventType;
  filter?: EventFilter;
}

/** Form of `subscribedEvents` in writes. */
export const subscribedEventsSchema = Type.Array(
  closed(
    { eventType: oneOf(EVENT_TYPE_NAMES), filter: Type.Optional(filterSchema) },
    { title: "SubscribedEventInput" },
  ),
  { minItems: 1, maxItems: SUBSCRIBED_EVENTS_MAX },
);

/** The same as answers show it: `filter` is always there. */
export const shownSubscribedEventsSchema = Type.Array(
  Type.Object(
    { eventType: oneOf(EVENT_TYPE_NAMES), filter: Type.Object(filterMembers, { title: "EventFilter" }) },
    { title: "SubscribedEvent" },
  ),
);
