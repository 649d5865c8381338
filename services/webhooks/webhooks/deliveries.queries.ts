import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";
import { printUuids } from "../../../database/uuid-list.ts";
import { PUBLISHED_READS, type PublishedEvent } from "../../../engine/feed/published.ts";
import type { EventType } from "../../../model/events.ts";
import type { TEST_EVENT } from "../../../model/resources/deliveries.ts";
import { makeQueueDue } from "./webhooks.queries.ts";

/** The webhook of a delivery. */
export interface WebhookKey {
  workspaceId: Uuid;
  webhookId: Uuid;
}

/** The event that a delivery sends. */
export interface DeliveredEvent {
  /** Null for the event of a test, which is in no table. */
  position: number | null;
  id: Uuid;
  type: EventType | typeof TEST_EVENT;
  recordId: Uuid;
}

const INSERT = `
insert into deliveries (workspace_id, id, webhook_id, event_position, event_id, event_type, record_id, status, next_attempt_at, created_at)
select $1, id, $2, position, event_id, type, record_id, 'pending', now(), clock_timestamp()
from unnest($3::uuid[], $4::bigint[], $5::uuid[], $6::text[], $7::uuid[]) e (id, position, event_id, type, record_id)`;

/** Makes a pending delivery of each event, due at once, and gives their uuids in the order of the events. */
export async function insertDeliveries(
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

/** How many deliveries of a workspace wait to be sent: exactly up to this number, which stands for more too. */
export async function countPending(query: Query, workspaceId: Uuid, most: number): Promise<number> {
  const [row] = await query<{ count: number }>(
    `select count(*)::int as count from (
       select from deliveries where workspace_id = $1 and status = 'pending' limit $2) d`,
    [workspaceId, most],
  );
  return row?.count ?? 0;
}

/** An event; undefined when it is no longer kept. docs/guides/webhooks.md#deliveries */
export async function readEvent(
  query: Query,
  workspaceId: Uuid,
  position: number,
): Promise<PublishedEvent | undefined> {
  const [event] = await query<PublishedEvent>(
    `select ${PUBLISHED_READS} from events e where e.workspace_id = $1 and e.position = $2`,
    [workspaceId, position],
  );
  return event;
}
