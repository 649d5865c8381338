import type { Uuid } from "../../../base/values/ids.ts";
import type { Query, TextRow } from "../../../database/query.ts";
import { type PublishedEvent, SIGHT } from "../../../engine/feed/published.ts";
import type { EventType } from "../../../model/events.ts";

/** Maximum number of events that one transaction passes on. */
export const EVENTS_AT_ONCE = 500;
/** And how many bytes their bodies have together. An event that has more by itself is passed on alone. */
const BODY_BYTES_AT_ONCE = 4 * 1024 * 1024;

/** Which webhooks and which definitions of a workspace an event meets. */
export interface Versions {
  webhooks: number;
  definitions: number;
}

/** An event of the outbox that is about to be passed on. */
export interface QueuedEvent {
  seq: number;
  position: number;
  workspaceId: Uuid;
  id: Uuid;
  type: EventType;
  recordId: Uuid;
  /**
   * The versions of the workspace's webhooks and definitions, not older than the event. Null when it has never had a
   * webhook.
   */
  versions: Versions | null;
  hasBehind: boolean;
  /** The body and `PublishedEvent.sight` as JSON texts, which are there when `versions` are. */
  body: string | null;
  sight: string | null;
}

/** Some of the events that wait in the outbox. */
export interface Queued {
  /** In the order of their writing. */
  events: QueuedEvent[];
  /** Whether others may wait behind them. */
  hasMore: boolean;
}

/**
 * Reads the committed events of the outbox that were written first, and gives them positions behind `lastPosition`. One
 * statement; bodies come along only for workspaces that have, or once had, webhooks.
 */
export async function readQueued(query: Query, lastPosition: number): Promise<Queued> {
  const rows = await query<TextRow>(QUEUED, [], "texts");
  const events = rows.map((row, i) => eventOf(row, lastPosition + i + 1));
  const waiting = Number(rows[0]?.[0] ?? 0);
  return { events, hasMore: waiting > events.length || waiting === EVENTS_AT_ONCE };
}

/**
 * The first body is taken however long it is. The workspaces are named by an array, because PostgreSQL thinks that the
 * queue is long and would rather read all workspaces than look up each.
 */
const QUEUED = `/* background */
with queued as materialized (
  select o.*, sum(octet_length(o.body::text)) over (order by o.seq) - octet_length(o.body::text) as bytes_before
  from (select * from outbox order by seq limit ${EVENTS_AT_ONCE}) o
), listening as materialized (
  select id, webhooks_version, catalog_version, exists (
    select from webhook_queues q where q.workspace_id = w.id and q.made_through is not null) as has_behind
  from workspaces w where id = any(array(select distinct workspace_id from queued)) and webhooks_version > 0
)
select (select count(*) from queued), e.seq, e.workspace_id, e.id, e.type, e.record_id, w.webhooks_version, w.catalog_version,
  case when w.id is not null then e.body end, case when w.id is not null then ${SIGHT} end, w.has_behind
from queued e left join listening w on w.id = e.workspace_id
where e.bytes_before < ${BODY_BYTES_AT_ONCE} order by e.seq`;

/**
 * Reads published events of a workspace after a position, with the present state of the workspace. One statement.
 * @param most number of events
 */
export async function readPublished(query: Query, workspaceId: Uuid, after: number, most: number): Promise<Queued> {
  const rows = await query<TextRow>(PUBLISHED, [workspaceId, after, most], "texts");
  const events = rows.map((row) => eventOf(row, Number(row.at(-1))));
  return { events, hasMore: Number(rows[0]?.[0] ?? 0) > events.length || rows.length === most };
}

const PUBLISHED = `/* background */
with head as materialized (
  select e.*, sum(octet_length(e.body::text)) over (order by e.position) - octet_length(e.body::text) as bytes_before
  from (
    select * from events where (workspace_id, position) > ($1, $2::bigint) and workspace_id <= $1
    order by workspace_id, position limit $3) e
)
select (select count(*) from head), e.seq, e.workspace_id, e.id, e.type, e.record_id, w.webhooks_version, w.catalog_version,
  e.body, ${SIGHT}, true, e.position
from head e join workspaces w on w.id = e.workspace_id
where e.bytes_before < ${BODY_BYTES_AT_ONCE} order by e.position`;

function eventOf(row: TextRow, position: number): QueuedEvent {
  const [, seq, workspaceId, id, type, recordId, webhooks, definitions, body = null, sight = null, hasBehind] = row;
  return {
    seq: Number(seq),
    position,
    // Texts of columns that are never null, and have these forms.
    ...({ workspaceId, id, type, recordId } as Pick<QueuedEvent, "workspaceId" | "id" | "type" | "recordId">),
    versions: webhooks ? { webhooks: Number(webhooks), definitions: Number(definitions) } : null,
    hasBehind: hasBehind === "t",
    body,
    sight,
  };
}

/** A queued event in the form that its readers get. */
export function publishedOf({ body, sight, ...event }: QueuedEvent): PublishedEvent {
  return { ...event, body: JSON.parse(body ?? "{}"), sight: sight === null ? null : JSON.parse(sight) };
}

/**
 * Moves events from the outbox to those that are published: these and no others, since one that was written before them
 * may be committed after them. One statement. Events of a workspace that was removed go with it.
 * @param events in the order of their positions
 */
export async function moveEvents(query: Query, events: readonly QueuedEvent[]): Promise<void> {
  await query(MOVE, [events.map(({ seq }) => seq), events.map(({ position }) => position)]);
}

/** Each event gets the position that its deliveries refer to, whatever happens to other events. */
const MOVE = `
with wanted as (
  select * from unnest($1::bigint[], $2::bigint[]) w (seq, position)
), moved as (
  delete from outbox o using wanted w where o.seq = w.seq returning o.*, w.position
), published as (
  insert into events (workspace_id, position, id, type, record_id, body, published_at, seq)
  select workspace_id, position, id, type, record_id, body, statement_timestamp(), seq from moved m
  where exists (select from workspaces w where w.id = m.workspace_id)
)
update event_log set last_position = (select max(position) from wanted)`;
