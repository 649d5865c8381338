import { madeAt, toId, type Uuid } from "../../../base/values/ids.ts";
import { payload } from "../../../engine/feed/payload.ts";
import { seenBy } from "../../../engine/feed/sight.ts";
import type { Catalog } from "../../../model/definitions/catalog.ts";
import { TEST_EVENT } from "../../../model/resources/deliveries.ts";
import { wants } from "../subscriptions/matching.ts";
import { entriesFor } from "../webhooks/webhooks.takeover.ts";
import type { Standing, Target } from "./deliveries.queries.ts";

/**
 * The text that a delivery sends; or that its webhook or the owner may not have the event any more, or that it is gone.
 */
export type Body = { text: string } | "unwanted" | "gone";

/**
 * The body of a delivery, as the owner of the webhook may see the event at this moment. The filters are asked again by
 * the same view, since a delivery that comes tells what its filter has picked.
 * docs/guides/webhook-deliveries.md#the-request
 */
export function bodyOf(standing: Standing, webhook: Target, catalog: Catalog, publicUrl: string): Body {
  const { event, eventType, eventId, webhookId } = standing;
  const url = `${publicUrl}/v1/webhooks/${toId("webhook", webhookId)}`;
  if (eventType === TEST_EVENT) return { text: testPayload(eventId, webhookId, url) };
  if (!event) return "gone";
  const seen = seenBy(event, { catalog, userId: webhook.createdBy });
  const isWanted = seen !== null && wants(entriesFor(webhook, standing.madeAt), seen, catalog);
  return isWanted ? { text: payload(seen, url, publicUrl) } : "unwanted";
}

function testPayload(eventId: Uuid, webhookId: Uuid, url: string): string {
  const createdAt = madeAt(eventId).toISOString();
  const data = { id: toId("webhook", webhookId), url };
  return JSON.stringify({ id: toId("event", eventId), type: TEST_EVENT, createdAt, source: url, data });
}
