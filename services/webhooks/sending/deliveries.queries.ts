import type { Uuid } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";
import { printUuids } from "../../../database/uuid-list.ts";
import { withTexts } from "../../../engine/feed/long-texts.ts";
import { ENTRY_READS, eventAt, type PublishedEvent, type StoredEntry } from "../../../engine/feed/published.ts";
import type { Choosing } from "../webhooks/webhooks.takeover.ts";
import type { Queue } from "./queues.queries.ts";

/** A delivery whose time has come. */
export interface Due {
  uuid: Uuid;
  recordId: Uuid;
  /**
   * The period in which its row stands, so that statements look in no other one. The row moves when it is pending for
   * longer than others are kept: then the statements find nothing, and the delivery is read anew.
   */
  period: number;
}

/** Number of queues that one statement reads, so that it ends soon: others wait behind it for its connection. */
const QUEUES_AT_ONCE = 50;

/** Divides queues into those that are read by one statement each. */
export function inSlices<One>(all: readonly One[]): One[][] {
  return Array.from({ length: Math.ceil(all.length / QUEUES_AT_ONCE) }, (_, i) =>
    all.slice(i * QUEUES_AT_ONCE, (i + 1) * QUEUES_AT_ONCE),
  );
}

/**
 * Reads the deliveries that are due, in the order in which they are to be sent.
 * @param queues queue → maximum number of its deliveries
 */
export async function readDue(query: Query, queues: ReadonlyMap<Queue, number>): Promise<Map<Queue, Due[]>> {
  const all = [...queues.keys()];
  const rows = await query<Due & { webhookId: Uuid }>(
    `/* background */ select h.webhook_id as "webhookId", d.id as uuid, d.record_id as "recordId", d.period::float8 as period
     from unnest($1::uuid[], $2::uuid[], $3::int[]) with ordinality h (workspace_id, webhook_id, most, n)
     cross join lateral (
       select id, record_id, period, next_attempt_at, event_seq from deliveries
       where workspace_id = h.workspace_id and webhook_id = h.webhook_id and status = 'pending' and next_attempt_at <= now()
       order by next_attempt_at, event_seq limit h.most
     ) d
     order by h.n, d.next_attempt_at, d.event_seq`,
    [
      printUuids(all.map(({ workspaceId }) => workspaceId)),
      printUuids(all.map(({ webhookId }) => webhookId)),
      [...queues.values()],
    ],
  );
  const due = new Map(all.map((queue): [Queue, Due[]] => [queue, []]));
  const byWebhook = new Map(all.map((queue) => [queue.webhookId, due.get(queue)]));
  for (const { webhookId, uuid, recordId, period } of rows) byWebhook.get(webhookId)?.push({ uuid, recordId, period });
  return due;
}

/** A delivery at the moment of an attempt, with all that is read for it. */
export interface Standing {
  isPending: boolean;
  /** Whether this process still holds the lease under which it asked. */
  isHeld: boolean;
  attempts: number;
  eventId: Uuid;
  /** The type of its event, `webhook.test` for that of a test. */
  eventType: string;
  webhookId: Uuid;
  /** The request that made the change; null if there was none, or for an event that is no longer kept. */
  requestId: Uuid | null;
  /** Null when the webhook was deleted. */
  webhook: Target | null;
  madeAt: Date;
  /** Whether it was made before the webhook became inactive last. */
  isStopped: boolean;
  /** The event as it is stored; null when it is no longer kept, and for a test. */
  event: PublishedEvent | null;
  definitionsVersion: number;
  /** The time of the database, in milliseconds. */
  nowMs: number;
}

/** Events, target and owner of a webhook. */
export interface Target extends Choosing {
  status: "active" | "inactive";
  targetUrl: string;
  createdBy: Uuid;
  secret: Buffer;
  replacedSecrets: { secret: string; until: string }[];
}

/** A delivery of a queue, whose standing is asked for. */
export interface Asked {
  queue: Queue;
  due: Pick<Due, "uuid" | "period">;
}

/** The deliveries as they stand now, in the order of the question; null for one that is gone. */
export async function readStandings(query: Query, asked: readonly Asked[]): Promise<(Standing | null)[]> {
  const rows = await query<StandingRow & { deliveryId: Uuid }>(
    `/* background */ select d.id as "deliveryId", d.status = 'pending' as "isPending", json_array_length(d.attempts) as attempts,
       d.event_id as "eventId", d.event_type as "eventType", d.webhook_id as "webhookId",
       q.lease is not null as "isHeld", coalesce(d.created_at <= w.stopped_at, false) as "isStopped",
       d.created_at as "madeAt", w.subscribed_events as "subscribedEvents", w.taken_over as "takenOver",
       w.status, w.target_url as "targetUrl", w.created_by as "createdBy", w.secret, w.replaced_secrets as "replacedSecrets",
       s.catalog_version as "definitionsVersion", extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs", d.event_seq::float8 as position,
       e.request_id as "requestId", ${ENTRY_READS}
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::bigint[]) h (workspace_id, webhook_id, id, lease, period)
     join deliveries d on d.workspace_id = h.workspace_id and d.webhook_id = h.webhook_id and d.id = h.id and d.period = h.period
     join workspaces s on s.id = d.workspace_id
     left join webhooks w on w.workspace_id = d.workspace_id and w.id = d.webhook_id
     left join webhook_queues q on q.workspace_id = d.workspace_id and q.webhook_id = d.webhook_id and q.lease = h.lease
     left join lateral (
       select * from change_log l where l.workspace_id = d.workspace_id and l.seq between d.event_seq - 1 and d.event_seq
       order by l.seq desc limit 1) e on true`,
    [
      printUuids(asked.map(({ queue }) => queue.workspaceId)),
      printUuids(asked.map(({ queue }) => queue.webhookId)),
      printUuids(asked.map(({ due }) => due.uuid)),
      printUuids(asked.map(({ queue }) => queue.lease)),
      asked.map(({ due }) => due.period),
    ],
  );
  // Several deliveries may be of one event.
  const stored = new Map(rows.flatMap((row) => (row.seq === null ? [] : [[row.seq, entryOf(row)]])));
  const entries = new Map((await withTexts(query, [...stored.values()])).map((entry) => [entry.seq, entry]));
  const found = new Map(rows.map((row) => [row.deliveryId, standingOf(row, entries.get(row.seq))]));
  return asked.map(({ due }) => found.get(due.uuid) ?? null);
}

/** The members of the entry are null when it is no longer kept. */
type StandingRow = Standing & Target & StoredEntry & { position: number };

/** @param entry the entry of its event with long texts; undefined when it is no longer kept */
function standingOf(row: StandingRow, entry: StoredEntry | undefined): Standing {
  const { status, targetUrl, createdBy, secret, replacedSecrets, subscribedEvents, takenOver } = row;
  const webhook = { status, targetUrl, createdBy, secret, replacedSecrets, subscribedEvents, takenOver };
  return {
    isPending: row.isPending,
    isHeld: row.isHeld,
    attempts: row.attempts,
    eventId: row.eventId,
    eventType: row.eventType,
    webhookId: row.webhookId,
    requestId: row.requestId,
    madeAt: row.madeAt,
    isStopped: row.isStopped,
    definitionsVersion: Number(row.definitionsVersion),
    nowMs: row.nowMs,
    webhook: status === null ? null : webhook,
    event: (entry && eventAt(entry, row.position)) ?? null,
  };
}

function entryOf({ seq, workspaceId, id, type, recordId, body, sight }: StandingRow): StoredEntry {
  return { seq, workspaceId, id, type, recordId, body, sight };
}

/** Change of a delivery by an attempt, or by the decision not to make one. */
export interface Result {
  queue: Queue;
  uuid: Uuid;
  period: number;
  status: "pending" | "succeeded" | "failed" | "cancelled";
  /** As answers show it; null when nothing was sent. */
  attempt: object | null;
  /** Time until the next attempt; null if there is none. */
  waitMs: number | null;
  /** The target that answered 410: it ends nothing for a webhook that has another one by now. Null otherwise. */
  gone: string | null;
}

/**
 * Writes results in one statement: of deliveries that are still pending, and whose queue this process still holds. When
 * another process has taken it, that one makes the attempt anew.
 *
 * `pending` is compared as a column. By the word itself PostgreSQL would know that the index of pending deliveries has
 * the row, and as long as it knows nothing of the table it takes that one: it goes through all that are pending in the
 * workspace for each result.
 * @returns those whose queue is still held
 */
export async function writeResults(query: Query, results: readonly Result[]): Promise<Set<Result>> {
  const rows = results.map(({ queue, uuid, status, attempt, waitMs, gone }) => ({
    workspace_id: queue.workspaceId,
    webhook_id: queue.webhookId,
    lease: queue.lease,
    id: uuid,
    status,
    attempt,
    wait_ms: waitMs,
    gone,
  }));
  const held = await query<{ id: Uuid }>(
    `/* background */ with held as (
       select r.*, 'pending' as was, coalesce(w.target_url <> r.gone, false) as has_moved from json_to_recordset($1::json)
         as r (workspace_id uuid, webhook_id uuid, lease uuid, id uuid, status text, attempt json, wait_ms float8, gone text)
       join webhook_queues q on q.workspace_id = r.workspace_id and q.webhook_id = r.webhook_id and q.lease = r.lease
       left join webhooks w on w.workspace_id = r.workspace_id and w.id = r.webhook_id
     ), written as (
     update deliveries d set status = case when r.has_moved then 'pending' else r.status end,
         next_attempt_at = now() + case when r.has_moved then 0 else r.wait_ms end * interval '1 ms',
       attempts = case when r.attempt is null then d.attempts
         else concat(left(d.attempts::text, -1), case when json_array_length(d.attempts) > 0 then ', ' end, r.attempt::text, ']')::json
       end
     from held r where d.workspace_id = r.workspace_id and d.webhook_id = r.webhook_id and d.id = r.id and d.period = any($2::bigint[]) and d.status = r.was
     )
     select id from held`,
    // The statement is planned for its values: only the partitions of these periods, mostly one, are planned for.
    [JSON.stringify(rows), [...new Set(results.map(({ period }) => period))]],
  );
  const ids = new Set(held.map(({ id }) => id));
  return new Set(results.filter(({ uuid }) => ids.has(uuid)));
}
