import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import { textArray, uuidArray } from "../../../database/array-parameter.ts";
import type { Query } from "../../../database/query.ts";
import type { PublishedEvent } from "../../../engine/feed/published.ts";
import { seenBy } from "../../../engine/feed/sight.ts";
import type { Definitions } from "../../../model/definitions/definitions.ts";
import { type EventTraits, traitsOf } from "../subscriptions/event-traits.ts";
import { matches } from "../subscriptions/matching.ts";
import type { Subscriber, SubscriptionIndex } from "../subscriptions/subscription-index.ts";
import type { Budget } from "./budget.ts";

/** Number of deliveries that one statement inserts. Only these, and the webhooks of one event, are in memory. */
const DELIVERIES_PER_STATEMENT = 2_000;
/** Number of matching webhooks after which other work of the process gets a turn of the event loop. */
const FOUND_PER_TURN = 2_000;

/** A workspace whose events are passed on, as it was when they were read or later. */
export interface FanOutMeans {
  workspaceId: Uuid;
  index: SubscriptionIndex;
  definitions: Definitions;
}

interface Delivery {
  event: PublishedEvent;
  webhookId: Uuid;
}

/** Which deliveries are to be made, and how many. */
export interface FanOutBounds {
  /** True if deliveries of the event should be created now. It is called for each event that some webhook may want. */
  mayBegin(event: PublishedEvent): boolean;
  /** Whether the webhook, which wants the event, is to get it now. */
  mayHave(event: PublishedEvent, webhookId: Uuid): boolean;
  budget: Budget;
}

export interface FannedOut {
  deliveries: number;
  /** Webhooks that have used up their room. */
  full: Uuid[];
}

/**
 * Makes the deliveries of events: one for each webhook that wants the event, however many of its entries do, and whose
 * owner sees it. They are written in the transaction of the query, as due at once, and so is that their webhooks have
 * something to deliver.
 * docs/guides/events.md#who-sees-what
 * @param events of the types that the index has, in the order of their positions
 */
export async function fanOut(
  query: Query,
  means: FanOutMeans,
  events: readonly PublishedEvent[],
  bounds: FanOutBounds,
): Promise<FannedOut> {
  const full = new Set<Uuid>();
  let made: Delivery[] = [];
  let deliveries = 0;
  async function insert(): Promise<void> {
    for (const webhookId of await insertDeliveries(query, means.workspaceId, made)) full.add(webhookId);
    made = [];
  }

  const pause = startPauses();
  for (const event of events) {
    if (!bounds.mayBegin(event)) break;
    for (const { webhookId } of await subscribersOf(means, event, bounds, pause)) {
      bounds.budget.made();
      made.push({ event, webhookId });
      deliveries += 1;
      if (made.length === DELIVERIES_PER_STATEMENT) await insert();
    }
  }
  if (made.length > 0) await insert();
  return { deliveries, full: [...full] };
}

/** Counts webhooks that were found. Waits now and then, so that everybody else has a turn. */
function startPauses(): () => Promise<void> | undefined {
  let found = 0;
  return () => {
    found += 1;
    return found % FOUND_PER_TURN === 0 ? new Promise((resolve) => setImmediate(resolve)) : undefined;
  };
}

/** The webhooks that get an event. */
async function subscribersOf(
  { index, definitions }: FanOutMeans,
  event: PublishedEvent,
  { mayHave, budget }: FanOutBounds,
  pause: () => Promise<void> | undefined,
): Promise<Subscriber[]> {
  const traits = traitsOf(event, event.body.groups ?? [], definitions);
  const seen = seenByOwners(event, traits, definitions);
  function isFor({ ownerId, subscribedEvents, webhookId }: Subscriber): boolean {
    const seenTraits = seen(ownerId);
    return seenTraits !== null && matches(subscribedEvents, seenTraits) && mayHave(event, webhookId);
  }
  const wanting: Subscriber[] = [];
  for (const subscriber of index.find(traits)) {
    const turn = pause();
    if (turn) await turn;
    budget.found();
    if (event.position > subscriber.sinceSeq && isFor(subscriber)) wanting.push(subscriber);
  }
  return wanting;
}

/**
 * Returns a function from the owner of a webhook to the traits of the part of an event that this owner sees; null when
 * the owner sees nothing of it. The function makes the traits once for each owner.
 * @param all the traits of the whole event
 */
function seenByOwners(
  published: PublishedEvent,
  all: EventTraits,
  definitions: Definitions,
): (ownerId: Uuid) => EventTraits | null {
  const seen = new Map<Uuid, EventTraits | null>();
  return (ownerId) => {
    const known = seen.get(ownerId);
    if (known !== undefined) return known;
    const cut = seenBy(published, { definitions, userId: ownerId });
    const isWhole = cut?.body === published.body && cut.seenGroups.length === (published.body.groups?.length ?? 0);
    const traits = cut && (isWhole ? all : traitsOf(cut, cut.seenGroups, definitions));
    seen.set(ownerId, traits);
    return traits;
  };
}

/** Gives the webhooks that have used up their room. */
async function insertDeliveries(query: Query, workspaceId: Uuid, made: readonly Delivery[]): Promise<Uuid[]> {
  const full = await query<{ webhookId: Uuid }>(INSERT, [
    workspaceId,
    uuidArray(made.map(() => newUuid())),
    uuidArray(made.map(({ webhookId }) => webhookId)),
    made.map(({ event }) => event.position),
    uuidArray(made.map(({ event }) => event.id)),
    textArray(made.map(({ event }) => event.type)),
    uuidArray(made.map(({ event }) => event.recordId)),
  ]);
  return full.map(({ webhookId }) => webhookId);
}

/**
 * A queue that is due already is written all the same: by that its row is locked until these deliveries are committed,
 * and a sender that has just delivered everything waits, instead of noting that nothing is left. Of a webhook that was
 * deleted meanwhile there is no queue, and so no delivery.
 */
const INSERT = `
with made as (
  select * from unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::uuid[], $6::text[], $7::uuid[])
    as d (id, webhook_id, event_seq, event_id, event_type, record_id)
), queues as (
  update webhook_queues q set due_at = least(q.due_at, now()), room = q.room - d.count
  from (select webhook_id, count(*)::int as count from made group by webhook_id) d
  where q.workspace_id = $1 and q.webhook_id = d.webhook_id and not q.is_gone
  returning q.webhook_id, q.room
), inserted as (
insert into deliveries (workspace_id, id, webhook_id, event_seq, event_id, event_type, record_id, status, next_attempt_at, created_at)
select $1, m.id, m.webhook_id, m.event_seq, m.event_id, m.event_type, m.record_id, 'pending', statement_timestamp(), statement_timestamp()
from made m join queues q on q.webhook_id = m.webhook_id
)
select webhook_id as "webhookId" from queues where room <= 0`;
