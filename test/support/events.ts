import { newUuid, toId, type Uuid } from "../../base/values/ids.ts";
import type { Database } from "../../database/database.ts";
import { EVENT_TYPES, type EventBody, type EventType } from "../../model/events.ts";

/** An event that is published without anything having happened. */
export interface TestEvent {
  type?: EventType;
  recordId?: Uuid;
  body?: EventBody;
  /** By default a new one, made now. */
  id?: Uuid;
  publishedAt?: Date;
}

/** An event of the feed, as far as tests look into it. */
export interface Told {
  id: string;
  type: string;
  data: { id: string; changes?: { path: string[]; value?: unknown }[] };
}

/** An event that stands among those of a workspace. */
export interface Published {
  position: number;
  id: Uuid;
  recordId: Uuid;
}

/**
 * Publishes events of a workspace, all in one transaction, as what passes them on from the outbox does. Gives the ids
 * by which the feed tells what they are about, in their order.
 */
export async function publish(
  database: Pick<Database, "read">,
  workspaceId: Uuid,
  events: TestEvent[],
): Promise<string[]> {
  const published = await publishAll(database, workspaceId, events);
  return published.map(({ type, recordId }) => toId(EVENT_TYPES[type].kind, recordId));
}

/** Publishes one event of a workspace. */
export async function publishOne(
  database: Pick<Database, "read">,
  workspaceId: Uuid,
  event: TestEvent,
): Promise<Published> {
  const [published] = await publishAll(database, workspaceId, [event]);
  if (!published) throw new Error("No event was published");
  return published;
}

async function publishAll(
  database: Pick<Database, "read">,
  workspaceId: Uuid,
  events: TestEvent[],
): Promise<(Published & { type: EventType })[]> {
  const rows = events.map(
    ({ type = "person.created", recordId = newUuid(), body = {}, id = newUuid(), publishedAt }) => ({
      type,
      recordId,
      body,
      id,
      publishedAt: (publishedAt ?? new Date()).toISOString(),
    }),
  );
  const positions = await database.read<{ position: number }>(
    `with log as (
       update event_log set last_position = last_position + jsonb_array_length($2::jsonb) returning last_position
     )
     insert into events (workspace_id, position, id, type, record_id, body, published_at)
     select $1, log.last_position - jsonb_array_length($2::jsonb) + n, (e->>'id')::uuid, e->>'type', (e->>'recordId')::uuid, (e->'body')::json, (e->>'publishedAt')::timestamptz
     from log, jsonb_array_elements($2::jsonb) with ordinality as given (e, n) order by n
     returning position::float8 as position`,
    [workspaceId, JSON.stringify(rows)],
  );
  return rows.map(({ type, recordId, id }, i) => ({ type, recordId, id, position: positions[i]?.position ?? 0 }));
}
