import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";
import { printUuids } from "../../../database/uuid-list.ts";
import type { PublishedEvent } from "../../../engine/feed/published.ts";
import { seenBy } from "../../../engine/feed/sight.ts";
import type { Definitions } from "../../../model/definitions/definitions.ts";
import type { DefinitionsCache } from "../../../model/definitions/definitions-cache.ts";
import { type EventTraits, traitsOf } from "../subscriptions/event-traits.ts";
import { matches } from "../subscriptions/matching.ts";
import type { Subscriber } from "../subscriptions/subscription-index.ts";
import type { Subscriptions } from "../subscriptions/subscriptions.ts";
import type { WebhookKey } from "./behind.queries.ts";
import type { Budget } from "./budget.ts";
import { publishedOf, type QueuedEvent } from "./queued.ts";

/** Number of deliveries that one statement inserts. Only these, and the webhooks of one event, are in memory. */
const DELIVERIES_PER_STATEMENT = 2_000;
/** Number of matching webhooks after which other work of the process gets a turn of the event loop. */
const FOUND_PER_TURN = 2_000;

export interface FanOutMeans {
  definitionsCache: Pick<DefinitionsCache, "atLeast">;
  subscriptions: Subscriptions;
  /** Number of pending deliveries that a workspace may have. By default the one of the guide. */
  pendingMax?: number;
}

interface Delivery {
  event: QueuedEvent;
  webhookId: Uuid;
}

/** Which deliveries are to be made, and how many. */
export interface FanOutBounds {
  /**
   * True if deliveries of the event should be created now. It is called for each event that a webhook of the workspace
   * may want.
   */
  mayBegin(event: QueuedEvent): boolean;
  /** Whether the webhook, which wants the event, is to get it now. */
  mayHave(event: QueuedEvent, webhookId: Uuid): boolean;
  budget: Budget;
}

export interface FannedOut {
  deliveries: number;
  /** Webhooks that have used up their room. */
  full: WebhookKey[];
}

/**
 * Makes the deliveries of events: one for each webhook that wants the event, however many of its entries do, and whose
 * owner sees it. They are written in the transaction of the query, as due at once, and so is that their webhooks have
 * something to deliver.
 * docs/guides/events.md#who-sees-what
 * @param events in the order of their positions
 */
export async function fanOut(
  query: Query,
  means: FanOutMeans,
  events: readonly QueuedEvent[],
  bounds: FanOutBounds,
): Promise<FannedOut> {
  const full = new Map<Uuid, WebhookKey>();
  let made: Delivery[] = [];
  let deliveries = 0;
  async function insert(): Promise<void> {
    for (const key of await insertDeliveries(query, made)) full.set(key.webhookId, key);
    made = [];
  }

  const pause = startPauses();
  for (const event of events) {
    const wanting = await subscribersOf(query, means, event, bounds, pause);
    for (const { webhookId } of wanting) {
      bounds.budget.made(event.workspaceId);
      made.push({ event, webhookId });
      deliveries += 1;
      if (made.length === DELIVERIES_PER_STATEMENT) await insert();
    }
  }
  if (made.length > 0) await insert();
  return { deliveries, full: [...full.values()] };
}

/** Counts webhooks that were found. Waits now and then, so that everybody else has a turn. */
function startPauses(): () => Promise<void> | undefined {
  let found = 0;
  return () => {
    found += 1;
    return found % FOUND_PER_TURN === 0 ? new Promise((resolve) => setImmediate(resolve)) : undefined;
  };
}

/**
 * The webhooks that get an event. Its body is parsed only if some webhook of the workspace wants events of its type.
 */
async function subscribersOf(
  query: Query,
  { definitionsCache, subscriptions }: FanOutMeans,
  event: QueuedEvent,
  { mayBegin, mayHave, budget }: FanOutBounds,
  pause: () => Promise<void> | undefined,
): Promise<Subscriber[]> {
  const { workspaceId, versions } = event;
  if (!versions) return [];
  const index = await subscriptions.atLeast(query, workspaceId, versions.webhooks);
  if (!index.hasType(event.type) || !mayBegin(event)) return [];
  const definitions = await definitionsCache.atLeast(workspaceId, versions.definitions);
  const published = publishedOf(event);

  const seen = seenByOwners(published, definitions);
  function isFor({ ownerId, subscribedEvents, webhookId }: Subscriber): boolean {
    const traits = seen(ownerId);
    return traits !== null && matches(subscribedEvents, traits) && mayHave(event, webhookId);
  }
  const wanting: Subscriber[] = [];
  for (const subscriber of index.find(traitsOf(published, published.body.groups ?? [], definitions))) {
    const turn = pause();
    if (turn) await turn;
    budget.found(workspaceId);
    if (event.seq > subscriber.sinceSeq && isFor(subscriber)) wanting.push(subscriber);
  }
  return wanting;
}

/** Gives the part of an event that an owner of webhooks sees, null for none. It is computed once for each owner. */
function seenByOwners(published: PublishedEvent, definitions: Definitions): (ownerId: Uuid) => EventTraits | null {
  const seen = new Map<Uuid, EventTraits | null>();
  return (ownerId) => {
    const known = seen.get(ownerId);
    if (known !== undefined) return known;
    const cut = seenBy(published, { definitions, userId: ownerId });
    const traits = cut && traitsOf(cut, cut.seenGroups, definitions);
    seen.set(ownerId, traits);
    return traits;
  };
}

/** Gives the webhooks that have used up their room. */
async function insertDeliveries(query: Query, made: readonly Delivery[]): Promise<WebhookKey[]> {
  return query<WebhookKey>(INSERT, [
    printUuids(made.map(() => newUuid())),
    printUuids(made.map(({ webhookId }) => webhookId)),
    made.map(({ event }) => event.position),
    printUuids(made.map(({ event }) => event.workspaceId)),
    printUuids(made.map(({ event }) => event.id)),
    made.map(({ event }) => event.type),
    printUuids(made.map(({ event }) => event.recordId)),
  ]);
}

/**
 * A queue that is due already is written all the same: by that its row is locked until these deliveries are committed,
 * and a sender that has just delivered everything waits, instead of noting that nothing is left. Of a webhook that was
 * deleted meanwhile there is no queue, and so no delivery.
 */
const INSERT = `
with made as (
  select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::uuid[], $5::uuid[], $6::text[], $7::uuid[])
    as d (id, webhook_id, event_position, workspace_id, event_id, event_type, record_id)
), queues as (
  update webhook_queues q set due_at = least(q.due_at, now()), room = q.room - d.count
  from (select workspace_id, webhook_id, count(*)::int as count from made group by workspace_id, webhook_id) d
  where q.workspace_id = d.workspace_id and q.webhook_id = d.webhook_id
  returning q.workspace_id, q.webhook_id, q.room
), inserted as (
insert into deliveries (workspace_id, id, webhook_id, event_position, event_id, event_type, record_id, status, next_attempt_at, created_at)
select m.workspace_id, m.id, m.webhook_id, m.event_position, m.event_id, m.event_type, m.record_id, 'pending',
  statement_timestamp(), statement_timestamp()
from made m join queues q on q.workspace_id = m.workspace_id and q.webhook_id = m.webhook_id
)
select workspace_id as "workspaceId", webhook_id as "webhookId" from queues where room <= 0`;
