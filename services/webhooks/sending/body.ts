import type { Catalog } from "../../../lib/catalog/catalog.ts";
import { payload } from "../../../lib/feed/payload.ts";
import { seenBy } from "../../../lib/feed/sight.ts";
import { madeAt, toId, type Uuid } from "../../../lib/values/ids.ts";
import { TEST_EVENT } from "../webhooks/deliveries.resource.ts";
import type { Standing } from "./deliveries.queries.ts";

/** What is sent for a delivery; or that it is not for the webhook's owner any more, or that its event is gone. */
export type Body = { text: string } | "unseen" | "gone";

/** The body of a delivery, as the owner of the webhook may see the event at this moment. docs/guides/webhook-deliveries.md#the-request */
export function bodyOf(standing: Standing, catalog: Catalog, owner: Uuid, publicUrl: string): Body {
  const { event, eventType, eventId, webhookId } = standing;
  const url = `${publicUrl}/v1/webhooks/${toId("webhook", webhookId)}`;
  if (eventType === TEST_EVENT) return { text: testPayload(eventId, webhookId, url) };
  if (!event) return "gone";
  const seen = seenBy(event, { catalog, userId: owner });
  return seen ? { text: payload(seen, url, publicUrl) } : "unseen";
}

function testPayload(eventId: Uuid, webhookId: Uuid, url: string): string {
  const createdAt = madeAt(eventId).toISOString();
  const data = { id: toId("webhook", webhookId), url };
  return JSON.stringify({ id: toId("event", eventId), type: TEST_EVENT, createdAt, source: url, data });
}
