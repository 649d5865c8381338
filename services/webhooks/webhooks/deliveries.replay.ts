import { notFound, unprocessable } from "../../../base/contract/errors.ts";
import { custom } from "../../../base/contract/issues.ts";
import { newUuid, type Uuid, uuidOf } from "../../../base/values/ids.ts";
import { PENDING_DELIVERIES_MAX } from "../../../config/limits.ts";
import type { PublishedEvent } from "../../../engine/feed/published.ts";
import { seenBy } from "../../../engine/feed/sight.ts";
import type { Writing } from "../../../engine/records/draft.ts";
import { findRow, presentRow } from "../../../engine/rows/rows.ts";
import { deliveries, TEST_EVENT } from "../../../model/resources/deliveries.ts";
import type { Row } from "../../../model/resources/resource.ts";
import type { SubscribedEvent } from "../../../model/resources/subscribed-events.ts";
import { wants } from "../subscriptions/matching.ts";
import { countPending, type DeliveredEvent, insertDeliveries, readEvent } from "./deliveries.queries.ts";
import { seenDeliveries } from "./deliveries.sight.ts";
import { eventsSince } from "./events-since.ts";

/**
 * Sends the event of a test to a locked webhook, and gives the answer. docs/guides/webhooks.md#testing
 * @throws ApiError 422 when the webhook is inactive
 */
export function sendTest(writing: Writing, webhook: Row): Promise<string> {
  const event = { position: null, id: newUuid(), type: TEST_EVENT, recordId: webhook.uuid } as const;
  return deliver(writing, webhook, event);
}

/**
 * Sends the event of a delivery again, and gives the answer, the new delivery. docs/guides/webhooks.md#sending-again
 * @throws ApiError 404 when the webhook has no such delivery that the caller sees, 422 when it is inactive or asks for
 *   no such event any more, or the event is no longer kept
 */
export async function replayDelivery(writing: Writing, webhook: Row, deliveryId: string): Promise<string> {
  const { query, caller } = writing;
  const uuid = uuidOf("delivery", deliveryId);
  const row = uuid && (await findRow(query, deliveries, writing, uuid));
  if (!row || row.webhookId !== webhook.uuid) throw notFound("delivery", deliveryId);
  const event = eventOf(row);
  const kept = event.position === null ? null : await readEvent(query, caller.workspaceId, event.position);
  if (kept === undefined) throw unprocessable([custom(["deliveryId"], "The event of this delivery is no longer kept")]);
  if ((await seenDeliveries(query, writing, webhook, [row])).length === 0) throw notFound("delivery", deliveryId);
  if (kept !== null && !isWanted(writing, webhook, kept)) throw unprocessable([custom(["deliveryId"], UNWANTED)]);
  return deliver(writing, webhook, event);
}

const UNWANTED =
  "The webhook asks for no such event any more: its subscribedEvents have changed, or its owner no longer sees what they ask for. Change them by PATCH first";

/** Whether a webhook asks for an event now, as its owner sees it. */
function isWanted({ catalog }: Writing, { createdBy, subscribedEvents }: Row, event: PublishedEvent): boolean {
  const seen = seenBy(event, { catalog, userId: createdBy as Uuid });
  return seen !== null && wants(subscribedEvents as SubscribedEvent[], seen, catalog);
}

/**
 * Sends all events since a time to a locked webhook that it subscribes to and its owner sees, and gives the answer.
 * docs/guides/webhooks.md#sending-again
 * @param isDry whether nothing is sent, and the number alone is given, as `events`
 * @throws ApiError 422 when the webhook is inactive, or there are too many events, or too many wait to be sent already
 */
export async function replaySince(writing: Writing, webhook: Row, since: Date, isDry = false): Promise<string> {
  needActive(webhook);
  const { query, caller } = writing;
  const pending = await countPending(query, caller.workspaceId, PENDING_DELIVERIES_MAX);
  needRoom(pending, 1);
  const wanted = await wantedSince(writing, webhook, since);
  needRoom(pending, wanted.length);
  if (isDry) return JSON.stringify({ events: wanted.length });
  await insertDeliveries(query, { workspaceId: caller.workspaceId, webhookId: webhook.uuid }, wanted.reverse());
  return JSON.stringify({ replayed: wanted.length });
}

/** The newest event is the first. */
async function wantedSince(writing: Writing, webhook: Row, since: Date): Promise<DeliveredEvent[]> {
  const wanted: DeliveredEvent[] = [];
  for await (const page of eventsSince(writing.query, writing.caller.workspaceId, since))
    for (const event of page) {
      const { position, id, type, recordId } = event;
      if (isWanted(writing, webhook, event)) wanted.push({ position, id, type, recordId });
    }
  return wanted;
}

async function deliver(writing: Writing, webhook: Row, event: DeliveredEvent): Promise<string> {
  needActive(webhook);
  const { query, caller } = writing;
  const key = { workspaceId: caller.workspaceId, webhookId: webhook.uuid };
  const [uuid] = await insertDeliveries(query, key, [event]);
  const made = uuid && (await findRow(query, deliveries, writing, uuid));
  if (!made) throw new Error("The delivery that was made is not there");
  return JSON.stringify(presentRow(deliveries, made, writing));
}

function eventOf({ eventPosition, eventUuid, type, recordUuid }: Row): DeliveredEvent {
  return {
    position: eventPosition === null ? null : Number(eventPosition),
    id: eventUuid as Uuid,
    type: type as DeliveredEvent["type"],
    recordId: recordUuid as Uuid,
  };
}

/** @throws ApiError 422 when too many deliveries of the workspace would wait to be sent */
function needRoom(pending: number, more: number): void {
  if (pending + more <= PENDING_DELIVERIES_MAX) return;
  const [asked, waiting, most] = [more, pending, PENDING_DELIVERIES_MAX].map((count) => count.toLocaleString("en-US"));
  throw unprocessable([
    custom(
      ["since"],
      `At most ${most} deliveries of the workspace may wait to be sent. ${waiting} do, and ${asked} would be added. Wait until they were sent, or make webhooks inactive whose receivers do not answer`,
    ),
  ]);
}

/** @throws ApiError 422 when nothing is sent to the webhook */
function needActive({ status }: Row): void {
  if (status === "active") return;
  throw unprocessable([
    custom([], 'The webhook is inactive, so nothing is sent to it. PATCH it with "status": "active"'),
  ]);
}
