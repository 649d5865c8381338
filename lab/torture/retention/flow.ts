import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import { type Database, run } from "../../../database/database.ts";
import { errorCode } from "../../../database/errors.ts";
import type { Query } from "../../../database/query.ts";
import { appendToLog } from "../../../engine/events/append.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { LogEntry } from "../../../model/log.ts";
import { createPublisher } from "../../../services/webhooks/publishing/publisher.ts";
import { createSubscriptions } from "../../../services/webhooks/subscriptions/subscriptions.ts";

const EVENTS_PER_WRITE = 100;
const DELIVERIES_PER_STATEMENT = 500;
/**
 * SQLSTATE of a run in which a period of deliveries began (`beginPeriod` in engine/periods/periods.ts). All of it is
 * undone, and it runs again, as in the server.
 */
const NO_PARTITION = "23514";

/** What goes through the tables: events of one workspace, each for one webhook. */
export interface Flow {
  /** Appends some entries to the log, as requests do, and gives how many. */
  write(): Promise<number>;
  /** Makes deliveries of what is in the log, as the publisher does. Gives how many. */
  publish(): Promise<number>;
  /** Notes that deliveries have succeeded, as a sender does. Gives how many. */
  deliver(): Promise<number>;
}

/** Makes the workspace and the webhook, and what runs the work of the server on them. */
export async function openFlow(database: Database): Promise<Flow> {
  const [workspaceId, webhookId] = [newUuid(), newUuid()];
  for (const [sql, ...values] of makeWorkspace(workspaceId, webhookId)) await database.read(sql, values);
  const { definitionsCache } = storeOf(database);
  const publisher = createPublisher(database, { definitionsCache, subscriptions: createSubscriptions() });
  return {
    async write() {
      const entries = Array.from({ length: EVENTS_PER_WRITE }, changedPerson);
      await inTransaction(database, (query) => appendToLog(query, { workspaceId }, entries));
      return entries.length;
    },
    async publish() {
      try {
        return (await publisher.publish(workspaceId)).deliveries;
      } catch (error) {
        if (errorCode(error) === NO_PARTITION) return 0;
        throw error;
      }
    },
    async deliver() {
      const [row] = await database.queryPlanned<{ count: number }>(DELIVER, [workspaceId, webhookId]);
      return row?.count ?? 0;
    },
  };
}

export function inTransaction<Result>(database: Database, work: (query: Query) => Promise<Result>): Promise<Result> {
  return database.transaction((trx) => work((...statement) => run(trx, ...statement)));
}

/** The statements, each with its values. A user of the workspace owns the webhook. */
function makeWorkspace(workspaceId: Uuid, webhookId: Uuid): [string, ...unknown[]][] {
  return [
    [
      "insert into workspaces (id, slug, name, created_at, webhooks_version) values ($1, 'w', 'W', now(), 1)",
      workspaceId,
    ],
    ["insert into workspace_slugs (workspace_id, slug) values ($1, 'w')", workspaceId],
    [
      `insert into users (workspace_id, id, email, email_key, full_name, role, created_at)
       values ($1, $1, 'a@x.test', 'a@x.test', 'Ada', 'admin', now())`,
      workspaceId,
    ],
    [
      `insert into webhooks (workspace_id, id, created_at, created_by, name, target_url, subscribed_events, status, secret, redacted_secret, since_seq)
       values ($1, $2, now(), $1, 'w', 'https://x.test', '[{"eventType":"person.updated"}]', 'active', '', '', 0)`,
      workspaceId,
      webhookId,
    ],
    ["insert into webhook_queues (workspace_id, webhook_id) values ($1, $2)", workspaceId, webhookId],
    ["insert into webhook_progress (workspace_id, through) select $1, last_value from change_log_seq", workspaceId],
  ];
}

/** A person with a handful of changed fields. */
function changedPerson(): LogEntry {
  const recordId = newUuid();
  const changes = [
    { path: ["firstName"], before: recordId.slice(0, 8), after: recordId },
    { path: ["notes"], before: null, after: recordId.repeat(4) },
  ];
  return { type: "person.updated", recordId, body: { groups: [], changes } };
}

const DELIVER = `
with done as (
  update deliveries set status = 'succeeded', next_attempt_at = null, attempts = json_build_array(json_build_object(
    'at', statement_timestamp(), 'responseStatus', 200, 'error', null, 'durationMs', 12, 'responseBody', 'ok'))
  where workspace_id = $1 and id = any(array(
    select id from deliveries where workspace_id = $1 and webhook_id = $2 and status = 'pending'
    order by next_attempt_at, event_seq limit ${DELIVERIES_PER_STATEMENT} for update skip locked))
  returning 1
)
select count(*)::int as count from done`;
