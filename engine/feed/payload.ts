import { madeAt, toId } from "../../base/values/ids.ts";
import { subjectId, subjectPath } from "../../model/events.ts";
import type { SeenEvent } from "./sight.ts";

/**
 * The JSON text of an event, as webhooks send it and the feed lists it. docs/guides/events.md#the-event
 * @param source where it comes from: the URL of the webhook, or that of the feed
 */
export function payload(event: SeenEvent, source: string, publicUrl: string): string {
  return JSON.stringify({
    id: toId("event", event.id),
    type: event.type,
    createdAt: madeAt(event.id).toISOString(),
    source,
    data: dataOf(event, publicUrl),
  });
}

/** The member `data` of an event: what it is about, and what has happened to it. */
export function dataOf(event: SeenEvent, publicUrl: string): object {
  const { changes, details } = event.body;
  return {
    id: subjectId(event),
    url: `${publicUrl}${subjectPath(event)}`,
    ...(changes && { changes }),
    ...(details && { details }),
  };
}
