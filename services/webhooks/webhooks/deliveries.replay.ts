import { notFound, unprocessable } from "../../../base/contract/errors.ts";
import { custom } from "../../../base/contract/issues.ts";
import { madeAt, newUuid, type Uuid, uuidOf } from "../../../base/values/ids.ts";
import { PENDING_DELIVERIES_MAX, REPLAYED_EVENTS_MAX } from "../../../config/limits.ts";
import type { Binder } from "../../../database/binder.ts";
import type { Query } from "../../../database/query.ts";
import { printUuids } from "../../../database/uuid-list.ts";
import {
  ENTRY_READS,
  eventsOf,
  type PublishedEvent,
  type StoredEntry,
  seqsOf,
} from "../../../engine/feed/published.ts";
import { oldestTold } from "../../../engine/feed/read-events.ts";
import { seenBy } from "../../../engine/feed/sight.ts";
import type { WriteContext } from "../../../engine/records/draft.ts";
import { findRow, presentRow } from "../../../engine/rows/rows.ts";
import type { EventType } from "../../../model/events.ts";
import { deliveries, TEST_EVENT } from "../../../model/resources/deliveries.ts";
import type { Row } from "../../../model/resources/resource.ts";
import type { SubscribedEvent } from "../../../model/resources/subscribed-events.ts";
import { wants } from "../subscriptions/matching.ts";
import { seenDeliveries } from "./deliveries.sight.ts";
import { makeQueueDue } from "./webhooks.queries.ts";

interface WebhookKey {
  workspaceId: Uuid;
  webhookId: Uuid;
}

interface DeliveredEvent {
  /** Null for the event of a test, which is in no table. */
  position: number | null;
  id: Uuid;
  type: EventType | typeof TEST_EVENT;
  recordId: Uuid;
}

const INSERT = `
insert into deliveries (workspace_id, id, webhook_id, event_seq, event_id, event_type, record_id, status, next_attempt_at, created_at)
select $1, id, $2, position, event_id, type, record_id, 'pending', now(), clock_timestamp()
from unnest($3::uuid[], $4::bigint[], $5::uuid[], $6::text[], $7::uuid[]) e (id, position, event_id, type, record_id)`;

/** Makes a pending delivery of each event, due at once, and gives their uuids in the order of the events. */
async function insertDeliveries(
  query: Query,
  { workspaceId, webhookId }: WebhookKey,
  events: readonly DeliveredEvent[],
): Promise<Uuid[]> {
  if (events.length === 0) return [];
  const uuids = events.map(() => newUuid());
  await query(INSERT, [
    workspaceId,
    webhookId,
    printUuids(uuids),
    events.map(({ position }) => position),
    printUuids(events.map(({ id }) => id)),
    events.map(({ type }) => type),
    printUuids(events.map(({ recordId }) => recordId)),
  ]);
  await makeQueueDue(query, workspaceId, webhookId);
  return uuids;
}

/** Number of pending deliveries of a workspace, exact up to `most`, which also stands for more. */
async function countPending(query: Query, workspaceId: Uuid, most: number): Promise<number> {
  const [row] = await query<{ count: number }>(
    `select count(*)::int as count from (
       select from deliveries where workspace_id = $1 and status = 'pending' limit $2) d`,
    [workspaceId, most],
  );
  return row?.count ?? 0;
}

/** An event; undefined when it is no longer kept. docs/guides/webhooks.md#deliveries */
async function readEvent(query: Query, workspaceId: Uuid, position: number): Promise<PublishedEvent | undefined> {
  const entries = await query<StoredEntry>(
    `select ${ENTRY_READS} from change_log e where e.workspace_id = $1 and e.seq = any($2::bigint[])`,
    [workspaceId, seqsOf(position)],
  );
  return entries.flatMap(eventsOf).find((event) => event.position === position);
}

const PAGE = 1_000;
const PAGE_BYTES = 4 * 1024 * 1024;

/**
 * Entries are in the order of their numbers, by which they are read from the newest one backwards. Their times are in
 * that order too, but for this difference of clocks.
 */
const CLOCKS_DIFFER_MS = 60_000;

const NEWEST_FIRST = "order by seq desc";

/**
 * A page ends with the event at which its bodies reach PAGE_BYTES, because some events hold values of large records.
 */
const SQL = `select ${ENTRY_READS}, e.bytes::float8 as bytes from (
  select *, octet_length(body::text) as own_bytes,
    sum(octet_length(body::text)) over (${NEWEST_FIRST} rows unbounded preceding) as bytes
  from change_log where workspace_id = $1 and seq < $2 ${NEWEST_FIRST} limit ${PAGE}) e
where e.bytes - e.own_bytes < ${PAGE_BYTES} order by e.seq desc`;

type Read = StoredEntry & { bytes: number };

/**
 * Goes through the events of a workspace since a time, the newest first, page by page.
 * @throws ApiError 422 when they are too many
 */
async function* eventsSince(query: Query, workspaceId: Uuid, since: Date): AsyncGenerator<PublishedEvent[]> {
  let before = Number.MAX_SAFE_INTEGER;
  let count = 0;
  for (;;) {
    const page = await query<Read>(SQL, [workspaceId, before]);
    const events = page.filter(({ id }) => madeAt(id) >= since).flatMap((entry) => eventsOf(entry).reverse());
    count += events.length;
    if (count > REPLAYED_EVENTS_MAX) throw tooMany(since);
    yield events;
    const last = page.at(-1);
    const isEnd = page.length < PAGE && (last?.bytes ?? 0) < PAGE_BYTES;
    if (!last || isEnd || madeAt(last.id).getTime() < since.getTime() - CLOCKS_DIFFER_MS) return;
    before = last.seq;
  }
}

function tooMany(since: Date) {
  const most = REPLAYED_EVENTS_MAX.toLocaleString("en");
  const message = `There are more than ${most} events since ${since.toISOString()}. Choose a later time, and replay older events one delivery at a time`;
  return unprocessable([custom(["since"], message)]);
}

/**
 * Sends the event of a test to a locked webhook, and gives the answer. docs/guides/webhooks.md#testing
 * @throws ApiError 422 when the webhook is inactive
 */
export function sendTest(writing: WriteContext, webhook: Row): Promise<string> {
  const event = { position: null, id: newUuid(), type: TEST_EVENT, recordId: webhook.uuid } as const;
  return deliver(writing, webhook, event);
}

/**
 * Sends the event of a delivery again, and gives the answer, the new delivery. docs/guides/webhooks.md#sending-again
 * @throws ApiError 404 when the webhook has no such delivery that the caller sees, 422 when it is inactive or asks for
 *   no such event any more, or the event is no longer kept
 */
export async function replayDelivery(writing: WriteContext, webhook: Row, deliveryId: string): Promise<string> {
  const { query, caller } = writing;
  const uuid = uuidOf("delivery", deliveryId);
  const row = uuid && (await findDelivery(writing, webhook, uuid));
  if (!row) throw notFound("delivery", deliveryId);
  const event = eventOf(row);
  const kept = event.position === null ? null : await readEvent(query, caller.workspaceId, event.position);
  if (kept === undefined) throw unprocessable([custom(["deliveryId"], "The event of this delivery is no longer kept")]);
  if ((await seenDeliveries(query, writing, webhook, [row])).length === 0) throw notFound("delivery", deliveryId);
  if (kept !== null && !isWanted(writing, webhook, kept)) throw unprocessable([custom(["deliveryId"], UNWANTED)]);
  return deliver(writing, webhook, event);
}

const UNWANTED =
  "The webhook is no longer subscribed to this event: its subscribedEvents have changed, or its owner can no longer see the event. Change them with PATCH first";

/** Whether a webhook asks for an event now, as its owner sees it. */
function isWanted({ definitions }: WriteContext, { createdBy, subscribedEvents }: Row, event: PublishedEvent): boolean {
  const seen = seenBy(event, { definitions, userId: createdBy as Uuid });
  return seen !== null && wants(subscribedEvents as SubscribedEvent[], seen, definitions);
}

/**
 * Sends all events since a time to a locked webhook that it subscribes to and its owner sees, and gives the answer.
 * docs/guides/webhooks.md#sending-again
 * @param isDry whether nothing is sent, and the number alone is given, as `events`
 * @throws ApiError 422 when the webhook is inactive, or there are too many events, or too many wait to be sent already
 */
export async function replaySince(writing: WriteContext, webhook: Row, since: Date, isDry = false): Promise<string> {
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
async function wantedSince(writing: WriteContext, webhook: Row, since: Date): Promise<DeliveredEvent[]> {
  const wanted: DeliveredEvent[] = [];
  const from = new Date(Math.max(since.getTime(), oldestTold()));
  for await (const page of eventsSince(writing.query, writing.caller.workspaceId, from))
    for (const event of page) {
      const { position, id, type, recordId } = event;
      if (isWanted(writing, webhook, event)) wanted.push({ position, id, type, recordId });
    }
  return wanted;
}

async function deliver(writing: WriteContext, webhook: Row, event: DeliveredEvent): Promise<string> {
  needActive(webhook);
  const { query, caller } = writing;
  const key = { workspaceId: caller.workspaceId, webhookId: webhook.uuid };
  const [uuid] = await insertDeliveries(query, key, [event]);
  const made = uuid && (await findDelivery(writing, webhook, uuid));
  if (!made) throw new Error("The delivery that was made is not there");
  return JSON.stringify(presentRow(deliveries, made, writing));
}

/** A delivery of a webhook. */
function findDelivery(writing: WriteContext, webhook: Row, uuid: Uuid): Promise<Row | undefined> {
  const where = (bind: Binder) => [`t.webhook_id = ${bind(webhook.uuid)}`];
  return findRow(writing.query, deliveries, writing, uuid, { where });
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
      `At most ${most} deliveries of the workspace may wait to be sent. ${waiting} do, and ${asked} would be added. Wait until they are sent, or make webhooks whose receivers do not answer inactive`,
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
