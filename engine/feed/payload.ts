import { madeAt, toId } from "../../base/values/ids.ts";
import { subjectId, subjectPath } from "../../model/events.ts";
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
      url: `${publicUrl}${subjectPath(event)}`,
      ...(changes && { changes }),
      ...(details && { details }),
    },
  });
}
