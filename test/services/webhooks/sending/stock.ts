import { randomBytes } from "node:crypto";
import { newUuid, type Uuid } from "../../../../base/values/ids.ts";
import { type Database, run } from "../../../../database/database.ts";
import { createSealing } from "../../../../engine/secrets/cipher.ts";
import { keyOf } from "../../../../engine/secrets/key.ts";
import { webhookPurpose } from "../../../../engine/secrets/purposes.ts";
import { EVENT_TYPE_NAMES, type EventBody, type EventType } from "../../../../model/events.ts";
import type { SubscribedEvent } from "../../../../model/resources/subscribed-events.ts";

/** The key by which the tests seal signing secrets, in every process. */
export const sealing = createSealing([keyOf(Buffer.alloc(32, 7), "database")]);

const ALL_EVENTS = EVENT_TYPE_NAMES.map((eventType) => ({ eventType }));

export interface StoredWebhook {
  workspaceId: Uuid;
  uuid: Uuid;
  secret: string;
}

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** Puts a webhook and its queue into the database. */
export async function insertWebhook(
  database: Database,
  of: {
    workspaceId: Uuid;
    createdBy: Uuid;
    targetUrl: string;
    failingSince?: Date;
    /** By default all events. */
    subscribedEvents?: SubscribedEvent[];
  },
): Promise<StoredWebhook> {
  const { workspaceId, createdBy, targetUrl, failingSince = null, subscribedEvents = ALL_EVENTS } = of;
  const uuid = newUuid();
  const secret = newSecret();
  await database.read(
    `insert into webhooks (workspace_id, id, created_at, created_by, name, target_url, subscribed_events, status, secret,
       redacted_secret, since_seq)
     values ($1, $2, now(), $3, 'Hook', $4, $6, 'active', $5, '', 0)`,
    [
      workspaceId,
      uuid,
      createdBy,
      targetUrl,
      sealing.seal(secret, webhookPurpose(uuid)),
      JSON.stringify(subscribedEvents),
    ],
  );
  await database.read("insert into webhook_queues (workspace_id, webhook_id, failing_since) values ($1, $2, $3)", [
    workspaceId,
    uuid,
    failingSince,
  ]);
  return { workspaceId, uuid, secret };
}

export interface Happening {
  type?: EventType;
  recordId?: Uuid;
  body?: EventBody;
}

export interface Publishing {
  /** Runs in the transaction, after the deliveries were inserted and before their queues are told. */
  before?(): Promise<void>;
  /** Runs after that, before the commit. */
  after?(): Promise<void>;
}

/**
 * Publishes events for webhooks as the publisher does: deliveries and `due_at` in one transaction. Gives the deliveries
 * of each event.
 */
export async function publish(
  database: Database,
  webhooks: readonly StoredWebhook[],
  happenings: readonly Happening[],
  { before, after }: Publishing = {},
): Promise<{ eventId: Uuid; deliveries: Uuid[] }[]> {
  const [first] = webhooks;
  if (!first) return [];
  const { workspaceId } = first;
  return database.transaction(async (trx) => {
    const events = happenings.map(({ type = "person.created", recordId = newUuid(), body = {} }) => {
      return { workspace_id: workspaceId, id: newUuid(), type, record_id: recordId, body };
    });
    const seqs = await run<{ seq: number }>(
      trx,
      `insert into change_log (workspace_id, id, type, record_id, source, body)
       select workspace_id, id, type, record_id, 'api', body from json_populate_recordset(null::change_log, $1::json)
       returning seq::float8 as seq`,
      [JSON.stringify(events)],
    );
    const rows = events.map((event, i) => ({ ...event, seq: seqs[i]?.seq ?? 0 }));
    const deliveries = rows.flatMap(({ seq, id, type, record_id }) =>
      webhooks.map(({ uuid }) => ({
        workspace_id: workspaceId,
        id: newUuid(),
        webhook_id: uuid,
        event_seq: seq,
        event_id: id,
        event_type: type,
        record_id,
      })),
    );
    await run(
      trx,
      `insert into deliveries (workspace_id, id, webhook_id, event_seq, event_id, event_type, record_id, status,
         next_attempt_at, created_at)
       select workspace_id, id, webhook_id, event_seq, event_id, event_type, record_id, 'pending', now(), now()
       from json_populate_recordset(null::deliveries, $1::json)`,
      [JSON.stringify(deliveries)],
    );
    await before?.();
    await run(
      trx,
      `update webhook_queues set due_at = least(due_at, now()) where workspace_id = $1 and webhook_id = any($2::uuid[])`,
      [workspaceId, `{${webhooks.map(({ uuid }) => uuid).join()}}`],
    );
    await after?.();
    return events.map(({ id }) => ({
      eventId: id,
      deliveries: deliveries.filter(({ event_id }) => event_id === id).map((delivery) => delivery.id),
    }));
  });
}

export interface StoredDelivery {
  id: Uuid;
  status: string;
  attempts: {
    at: string;
    responseStatus: number | null;
    error: string | null;
    durationMs: number;
    responseBody: string;
  }[];
  /** Milliseconds from the last attempt to the next one; null when there is none. */
  waitMs: number | null;
}

/** The deliveries of a webhook, in the order of their making. */
export function deliveriesOf(database: Database, { workspaceId, uuid }: StoredWebhook): Promise<StoredDelivery[]> {
  return database.read(
    `select id, status, attempts,
       extract(epoch from next_attempt_at - (attempts->-1->>'at')::timestamptz)::float8 * 1000 as "waitMs"
     from deliveries where workspace_id = $1 and webhook_id = $2 order by id`,
    [workspaceId, uuid],
  );
}

/** Lets the waits of a webhook be over. */
export async function endWaits(database: Database, { workspaceId, uuid }: StoredWebhook): Promise<void> {
  await database.read(
    "update deliveries set next_attempt_at = now() where workspace_id = $1 and webhook_id = $2 and status = 'pending'",
    [workspaceId, uuid],
  );
  await database.read("update webhook_queues set due_at = now() where workspace_id = $1 and webhook_id = $2", [
    workspaceId,
    uuid,
  ]);
}

/** The row of a webhook's queue. */
export async function queueOf(database: Database, { workspaceId, uuid }: StoredWebhook) {
  const [row] = await database.read<{
    due_at: Date | null;
    lease: Uuid | null;
    failing_since: Date | null;
    is_gone: boolean;
    lastsS: number;
  }>(
    `select due_at, lease, failing_since, is_gone, extract(epoch from leased_until - now())::float8 as "lastsS"
     from webhook_queues where workspace_id = $1 and webhook_id = $2`,
    [workspaceId, uuid],
  );
  return row;
}
