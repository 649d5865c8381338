import type { Uuid } from "../../../base/values/ids.ts";
import { byWorkspace } from "../../../database/by-workspace.ts";
import type { Query } from "../../../database/query.ts";
import { printUuids } from "../../../database/uuid-list.ts";
import { withTexts } from "../../../engine/feed/long-texts.ts";
import { ENTRY_READS, eventAt, type PublishedEvent, type StoredEntry } from "../../../engine/feed/published.ts";
import type { Choosing } from "../webhooks/webhooks.takeover.ts";
import { type Queue, stillHeld } from "./queues.queries.ts";

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
 * @param queues queue of the workspace → maximum number of its deliveries
 */
export async function readDue(
  query: Query,
  workspaceId: Uuid,
  queues: ReadonlyMap<Queue, number>,
): Promise<Map<Queue, Due[]>> {
  const all = [...queues.keys()];
  const rows = await query<Due & { webhookId: Uuid }>(
    `/* background */ select h.webhook_id as "webhookId", d.id as uuid, d.record_id as "recordId", d.period::float8 as period
     from unnest($2::uuid[], $3::int[]) with ordinality h (webhook_id, most, n)
     cross join lateral (
       select id, record_id, period, next_attempt_at, event_seq from deliveries
       where workspace_id = $1 and webhook_id = h.webhook_id and status = 'pending' and next_attempt_at <= now()
       order by next_attempt_at, event_seq limit h.most
     ) d
     order by h.n, d.next_attempt_at, d.event_seq`,
    [workspaceId, printUuids(all.map(({ webhookId }) => webhookId)), [...queues.values()]],
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

const STANDINGS = `/* background */
select d.id as "deliveryId", d.status = 'pending' as "isPending", json_array_length(d.attempts) as attempts,
  d.event_id as "eventId", d.event_type as "eventType", d.webhook_id as "webhookId",
  q.lease is not null as "isHeld", coalesce(d.created_at <= w.stopped_at, false) as "isStopped",
  d.created_at as "madeAt", w.subscribed_events as "subscribedEvents", w.taken_over as "takenOver",
  w.status, w.target_url as "targetUrl", w.created_by as "createdBy", w.secret, w.replaced_secrets as "replacedSecrets",
  s.catalog_version as "definitionsVersion", extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs", d.event_seq::float8 as position,
  e.request_id as "requestId", ${ENTRY_READS}
from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::bigint[]) h (webhook_id, id, lease, period)
cross join lateral (
  select * from deliveries where workspace_id = $1 and webhook_id = h.webhook_id and id = h.id and period = h.period limit 1) d
join workspaces s on s.id = $1
left join webhooks w on w.workspace_id = $1 and w.id = d.webhook_id
left join webhook_queues q on q.workspace_id = $1 and q.webhook_id = d.webhook_id and q.lease = h.lease
left join lateral (
  select * from change_log l where l.workspace_id = $1 and l.seq between d.event_seq - 1 and d.event_seq
  order by l.seq desc limit 1) e on true`;

/** The deliveries as they stand now, in the order of the question; null for one that is gone. */
export async function readStandings(query: Query, asked: readonly Asked[]): Promise<(Standing | null)[]> {
  const things = asked.map((one) => ({ ...one, workspaceId: one.queue.workspaceId }));
  const found = new Map(await byWorkspace(things, (workspaceId, some) => standingsOf(query, workspaceId, some)));
  return asked.map(({ due }) => found.get(due.uuid) ?? null);
}

async function standingsOf(
  query: Query,
  workspaceId: Uuid,
  asked: readonly Asked[],
): Promise<[deliveryId: Uuid, Standing][]> {
  const rows = await query<StandingRow & { deliveryId: Uuid }>(STANDINGS, [
    workspaceId,
    printUuids(asked.map(({ queue }) => queue.webhookId)),
    printUuids(asked.map(({ due }) => due.uuid)),
    printUuids(asked.map(({ queue }) => queue.lease)),
    asked.map(({ due }) => due.period),
  ]);
  // Several deliveries may be of one event.
  const stored = new Map(rows.flatMap((row) => (row.seq === null ? [] : [[row.seq, entryOf(row)]])));
  const entries = new Map((await withTexts(query, [...stored.values()])).map((entry) => [entry.seq, entry]));
  return rows.map((row) => [row.deliveryId, standingOf(row, entries.get(row.seq))]);
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
 * `pending` is compared as a column. By the word itself PostgreSQL would know that the index of pending deliveries has
 * the row, and as long as it knows nothing of the table it takes that one: it goes through all that are pending in the
 * workspace for each result. With the lists of ids it does not read all deliveries of the workspace either.
 */
const WRITE = `/* background */
update deliveries d set status = r.next_status, next_attempt_at = r.next_attempt_at,
  attempts = case when r.attempt is null then d.attempts
    else ((left(d.attempts #>> '{}', -1) || case when json_array_length(d.attempts) > 0 then ', ' else '' end) || r.attempt::text || ']')::json end
from (
  select r.webhook_id, r.id, r.attempt, r.was, case when m.has_moved then 'pending' else r.status end as next_status,
    now() + case when m.has_moved then 0 else r.wait_ms end * interval '1 ms' as next_attempt_at
  from json_to_recordset($2::json) as r (webhook_id uuid, lease uuid, id uuid, status text, attempt json, wait_ms float8, gone text, was text)
  join webhook_queues q on q.workspace_id = $1 and q.webhook_id = r.webhook_id and q.lease = r.lease
  left join webhooks w on w.workspace_id = $1 and w.id = r.webhook_id
  cross join lateral (select coalesce(w.target_url <> r.gone, false) as has_moved) m
) r
where d.workspace_id = $1 and d.webhook_id = any($4::uuid[]) and d.id = any($5::uuid[]) and d.period = any($3::bigint[])
  and d.webhook_id = r.webhook_id and d.id = r.id and d.status = r.was
returning d.id`;

/**
 * Writes the results of deliveries that are still pending, and whose queue this process still holds, in one statement
 * for each workspace. When another process has taken the queue, that one makes the attempt anew.
 * @returns those whose queue is still held
 */
export async function writeResults(query: Query, results: readonly Result[]): Promise<Set<Result>> {
  const things = results.map((result) => ({ result, workspaceId: result.queue.workspaceId }));
  const rows = await byWorkspace(things, (workspaceId, some) =>
    // The statement is planned for its values: only the partitions of these periods, mostly one, are planned for.
    query<{ id: Uuid }>(WRITE, [
      workspaceId,
      JSON.stringify(some.map(({ result }) => rowOf(result))),
      [...new Set(some.map(({ result }) => result.period))],
      printUuids(new Set(some.map(({ result }) => result.queue.webhookId))),
      printUuids(some.map(({ result }) => result.uuid)),
    ]),
  );
  const ids = new Set(rows.map(({ id }) => id));
  // The queue may be held and the delivery has ended, or stands in another period.
  const others = new Set(results.filter(({ uuid }) => !ids.has(uuid)).map(({ queue }) => queue));
  const held = await stillHeld(query, [...others]);
  return new Set(results.filter(({ uuid, queue }) => ids.has(uuid) || held.has(queue)));
}

function rowOf({ queue, uuid, status, attempt, waitMs, gone }: Result): object {
  const { webhookId, lease } = queue;
  return { webhook_id: webhookId, lease, id: uuid, status, attempt, wait_ms: waitMs, gone, was: "pending" };
}
