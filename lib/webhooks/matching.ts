import type { Catalog } from "../catalog/catalog.ts";
import type { SeenEvent } from "../feed/sight.ts";
import type { SubscribedEvent } from "./subscribed-events.ts";

/** Whether a webhook wants an event. */
export function wants(subscribedEvents: readonly SubscribedEvent[], event: SeenEvent, _catalog: Catalog): boolean {
  return subscribedEvents.some(({ eventType }) => eventType === event.type);
}
