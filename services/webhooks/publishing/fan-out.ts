import type { Catalogs } from "../../../lib/catalog/catalogs.ts";
import type { Query } from "../../../lib/database/query.ts";
import { printUuids } from "../../../lib/database/uuid-list.ts";
import { seenBy } from "../../../lib/feed/sight.ts";
import { newUuid, type Uuid } from "../../../lib/values/ids.ts";
import { type EventTraits, traitsOf } from "../../../lib/webhooks/event-traits.ts";
import { matches } from "../../../lib/webhooks/matching.ts";
import type { Subscriber } from "../../../lib/webhooks/subscription-index.ts";
import type { Subscriptions } from "../../../lib/webhooks/subscriptions.ts";
import { publishedOf, type QueuedEvent } from "./queued.ts";

/** How many deliveries one statement inserts. In memory are these, and the webhooks of one event. */
const DELIVERIES_PER_STATEMENT = 2_000;
/**
 * After this many deliveries the transaction ends, and what is left of its events is for the next one. It has a second's work then, and
 * nobody else's events wait longer for it.
 */
const DELIVERIES_AT_ONCE = 10_000;
/** The transaction ends too after so many webhooks were found for its events, whether their owners see them or not. */
const FOUND_AT_ONCE = 50_000;
/** After so many webhooks that were found, everybody else in the process has a turn of the event loop. */
const FOUND_PER_TURN = 2_000;

export interface FanOutMeans {
  catalogs: Pick<Catalogs, "atLeast">;
  subscriptions: Subscriptions;
}

/** What became of events. */
export interface FannedOut {
  /** How many of the events, from the first on, have all their deliveries now. At least one. */
  events: number;
  deliveries: number;
}

/** One event for one webhook. */
interface Delivery {
  event: QueuedEvent;
  webhookId: Uuid;
}

/**
 * Makes the deliveries of events: one for each webhook that wants the event, however many of its entries do, and whose owner sees it.
 * They are written in the transaction of the query, as due at once, and so is that their webhooks have something to deliver.
 * docs/guides/events.md#who-sees-what
 * @param events in the order of their positions
 */
export async function fanOut(query: Query, means: FanOutMeans, events: readonly QueuedEvent[]): Promise<FannedOut> {
  let made: Delivery[] = [];
  let deliveries = 0;
  let done = 0;
  const search = startSearch();
  for (const event of events) {
    if (deliveries >= DELIVERIES_AT_ONCE || search.found() >= FOUND_AT_ONCE) break;
    for (const { webhookId } of await subscribersOf(query, means, event, search)) {
      made.push({ event, webhookId });
      deliveries += 1;
      if (made.length === DELIVERIES_PER_STATEMENT) {
        await insertDeliveries(query, made);
        made = [];
      }
    }
    done += 1;
  }
  if (made.length > 0) await insertDeliveries(query, made);
  return { events: done, deliveries };
}

/** How much was looked for in a run. */
interface Search {
  found(): number;
  /** Counts a webhook that was found. Waits now and then, so that everybody else has a turn. */
  count(): Promise<void> | undefined;
}

function startSearch(): Search {
  let found = 0;
  return {
    found: () => found,
    count() {
      found += 1;
      return found % FOUND_PER_TURN === 0 ? new Promise((resolve) => setImmediate(resolve)) : undefined;
    },
  };
}

/** The webhooks that get an event. Its body is parsed only if some webhook of the workspace wants events of its type. */
async function subscribersOf(
  query: Query,
  { catalogs, subscriptions }: FanOutMeans,
  event: QueuedEvent,
  search: Search,
): Promise<Subscriber[]> {
  const { workspaceId, versions } = event;
  if (!versions) return [];
  const index = await subscriptions.atLeast(query, workspaceId, versions.webhooks);
  if (!index.hasType(event.type)) return [];
  const catalog = await catalogs.atLeast(workspaceId, versions.catalog);
  const published = publishedOf(event);

  const seenByOwner = new Map<Uuid, EventTraits | null>();
  function seen(ownerId: Uuid): EventTraits | null {
    const known = seenByOwner.get(ownerId);
    if (known !== undefined) return known;
    const cut = seenBy(published, { catalog, userId: ownerId });
    const traits = cut && traitsOf(cut, cut.seenGroups, catalog);
    seenByOwner.set(ownerId, traits);
    return traits;
  }

  const wanting: Subscriber[] = [];
  for (const subscriber of index.find(traitsOf(published, published.body.groups ?? [], catalog))) {
    const turn = search.count();
    if (turn) await turn;
    if (event.seq <= subscriber.sinceSeq) continue;
    const traits = seen(subscriber.ownerId);
    if (traits !== null && matches(subscriber.subscribedEvents, traits)) wanting.push(subscriber);
  }
  return wanting;
}

async function insertDeliveries(query: Query, made: readonly Delivery[]): Promise<void> {
  await query(INSERT, [
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
 * A queue that is due already is written all the same: by that its row is locked until these deliveries are committed, and a sender
 * that has just delivered everything waits, instead of noting that nothing is left. Of a webhook that was deleted meanwhile there is no
 * queue, and so no delivery.
 */
const INSERT = `
with made as (
  select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::uuid[], $5::uuid[], $6::text[], $7::uuid[])
    as d (id, webhook_id, event_position, workspace_id, event_id, event_type, record_id)
), queues as (
  update webhook_queues q set due_at = least(q.due_at, now())
  from (select distinct workspace_id, webhook_id from made) d
  where q.workspace_id = d.workspace_id and q.webhook_id = d.webhook_id
  returning q.workspace_id, q.webhook_id
)
insert into deliveries (workspace_id, id, webhook_id, event_position, event_id, event_type, record_id, status, next_attempt_at, created_at)
select m.workspace_id, m.id, m.webhook_id, m.event_position, m.event_id, m.event_type, m.record_id, 'pending',
  statement_timestamp(), statement_timestamp()
from made m join queues q on q.workspace_id = m.workspace_id and q.webhook_id = m.webhook_id`;
