import { madeAt, toId } from "../../base/values/ids.ts";
import { EVENT_TYPES, subjectId } from "../../model/events.ts";
import type { SeenEvent } from "./sight.ts";

/**
 * The JSON text of an event, as webhooks send it and the feed lists it. docs/guides/events.md#the-event
 * @param source where it comes from: the URL of the webhook, or that of the feed
 */
export function payload(event: SeenEvent, source: string, publicUrl: string): string {
  const { changes, details } = event.body;
  return JSON.stringify({
    id: toId("event", event.id),
    type: event.type,
    createdAt: madeAt(event.id).toISOString(),
    source,
    data: {
      id: subjectId(event),
      url: `${publicUrl}${pathOf(event)}`,
      ...(changes && { changes }),
      ...(details && { details }),
    },
  });
}

/** Path at which a thing is, or was, found. */
function pathOf(event: SeenEvent): string {
  const id = subjectId(event);
  const { home, objectType = "" } = event.body;
  switch (EVENT_TYPES[event.type]) {
    case "person":
      return `/v1/people/${id}`;
    case "company":
      return `/v1/companies/${id}`;
    case "note":
      return `/v1/notes/${id}`;
    case "reminder":
      return `/v1/reminders/${id}`;
    case "object":
      return `/v1/groups/${home && toId("group", home)}/${encodeURIComponent(objectType)}/${id}`;
  }
}
