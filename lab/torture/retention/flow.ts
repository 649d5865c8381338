import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import { type Database, run } from "../../../database/database.ts";
import type { Query } from "../../../database/query.ts";
import { printUuids } from "../../../database/uuid-list.ts";

const EVENTS_PER_WRITE = 100;
const EVENTS_PER_PUBLISH = 500;
const DELIVERIES_PER_STATEMENT = 500;

/** What goes through the tables: events of one workspace, each for one webhook. */
export interface Flow {
  /** Writes some events into the outbox, as requests do, and gives how many. */
  write(): Promise<number>;
  /** Passes on what is in the outbox, as the publisher does. Gives how many events. */
  publish(): Promise<number>;
  /** Notes that deliveries have succeeded, as a sender does. Gives how many. */
  deliver(): Promise<number>;
}

/** Makes the workspace and the webhook, and what runs the statements of the server on them. */
export async function openFlow(database: Database): Promise<Flow> {
  const [workspaceId, webhookId] = [newUuid(), newUuid()];
  await database.read("insert into workspaces (id, slug, name, created_at) values ($1, 'w', 'W', now())", [
    workspaceId,
  ]);
  await database.read(
    `insert into webhooks (workspace_id, id, created_at, created_by, name, target_url, subscribed_events, status, secret, redacted_secret, since_seq)
     values ($1, $2, now(), $1, 'w', 'https://x.test', '[]', 'active', '', '', 0)`,
    [workspaceId, webhookId],
  );
  const inTransaction = <Result>(work: (query: Query) => Promise<Result>): Promise<Result> =>
    database.transaction((trx) => work((sql, values, form) => run(trx, sql, values, form)));

  return {
    write: () => inTransaction((query) => write(query, workspaceId)),
    publish: () => inTransaction((query) => publish(query, webhookId)),
    deliver: async () => {
      const [row] = await database.queryPlanned<{ count: number }>(DELIVER, [workspaceId, webhookId]);
      return row?.count ?? 0;
    },
  };
}

async function write(query: Query, workspaceId: Uuid): Promise<number> {
  await query(WRITE, [workspaceId, printUuids(Array.from({ length: EVENTS_PER_WRITE }, newUuid))]);
  return EVENTS_PER_WRITE;
}

/** The body is that of a person with a handful of fields. */
const WRITE = `
insert into outbox (workspace_id, id, type, record_id, body)
select $1, id, 'person.updated', id, json_build_object('groups', json_build_array(id), 'changes', json_build_array(
  json_build_object('path', json_build_array('firstName'), 'type', 'set', 'value', md5(id::text)),
  json_build_object('path', json_build_array('notes'), 'type', 'set', 'value', repeat(md5(id::text), 4))))
from unnest($2::uuid[]) id`;

async function publish(query: Query, webhookId: Uuid): Promise<number> {
  const [log] = await query<{ last: number }>("select last_position as last from event_log for update", []);
  const events = await query<{ seq: number }>(`select seq from outbox order by seq limit ${EVENTS_PER_PUBLISH}`, []);
  if (events.length === 0) return 0;
  const ids = printUuids(events.map(() => newUuid()));
  await query(PUBLISH, [events.map(({ seq }) => seq), log?.last, ids, webhookId]);
  return events.length;
}

const PUBLISH = `
with moved as (
  delete from outbox where seq = any($1::bigint[]) returning *
), placed as materialized (
  select moved.*, $2::bigint + row_number() over (order by seq) as position from moved
), published as (
  insert into events (workspace_id, position, id, type, record_id, body, published_at)
  select workspace_id, position, id, type, record_id, body, statement_timestamp() from placed
), delivered as (
  insert into deliveries (workspace_id, id, webhook_id, event_position, event_id, event_type, record_id, status, next_attempt_at, created_at)
  select p.workspace_id, ($3::uuid[])[p.position - $2::bigint], $4, p.position, p.id, p.type, p.record_id, 'pending', statement_timestamp(), statement_timestamp()
  from placed p
)
update event_log set last_position = $2::bigint + (select count(*) from placed)`;

const DELIVER = `
with done as (
  update deliveries set status = 'succeeded', next_attempt_at = null, attempts = json_build_array(json_build_object(
    'at', statement_timestamp(), 'responseStatus', 200, 'error', null, 'durationMs', 12, 'responseBody', 'ok'))
  where ctid = any(array(
    select ctid from deliveries where workspace_id = $1 and webhook_id = $2 and status = 'pending'
    order by next_attempt_at, event_position limit ${DELIVERIES_PER_STATEMENT} for update skip locked))
  returning 1
)
select count(*)::int as count from done`;

/** The time before which something is old. */
export function oldBefore(keptMs: number): Date {
  return new Date(Date.now() - keptMs);
}
