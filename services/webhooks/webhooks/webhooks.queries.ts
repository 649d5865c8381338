import type { Uuid } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";

/**
 * The newest position of the log: its newest entry may have two events. A webhook that becomes active now is sent
 * events at higher ones only. docs/guides/webhooks.md#status
 */
export async function newestSeq(query: Query): Promise<string> {
  const [row] = await query<{ seq: string }>("select (last_value + 1)::text as seq from change_log_seq", []);
  return row?.seq ?? "0";
}

/**
 * Tells every process that what it has in memory of the workspace's webhooks is outdated once this is committed, and
 * has deliveries made from the first webhook of the workspace on. Gives the number of webhooks that there are.
 */
export async function raiseVersion(query: Query, workspaceId: Uuid): Promise<number> {
  const [row] = await query<{ count: number }>(
    `with begun as (
       insert into webhook_progress (workspace_id, through) select $1, min(since_seq) from webhooks where workspace_id = $1
       having count(*) > 0 on conflict do nothing
     )
     update workspaces set webhooks_version = webhooks_version + 1 where id = $1
     returning (select count(*)::int from webhooks where workspace_id = $1) as count`,
    [workspaceId],
  );
  return row?.count ?? 0;
}

/** Makes the queue of a new webhook. */
export async function insertQueue(query: Query, workspaceId: Uuid, webhookId: Uuid): Promise<void> {
  await query("insert into webhook_queues (workspace_id, webhook_id) values ($1, $2)", [workspaceId, webhookId]);
}

/**
 * Has the deliveries of a webhook looked at now. `least` leaves out null, which is the time of a queue without anything
 * to do.
 */
export async function makeQueueDue(query: Query, workspaceId: Uuid, webhookId: Uuid): Promise<void> {
  await query("update webhook_queues set due_at = least(due_at, now()) where workspace_id = $1 and webhook_id = $2", [
    workspaceId,
    webhookId,
  ]);
}

/**
 * Has a webhook that becomes active begin with the events that are written from now on, whatever it was behind with
 * before.
 */
export async function beginAnew(query: Query, workspaceId: Uuid, webhookId: Uuid): Promise<void> {
  await query(
    "update webhook_queues set failing_since = null, made_through = null, room = 0 where workspace_id = $1 and webhook_id = $2",
    [workspaceId, webhookId],
  );
}

/**
 * Restarts the time in which all attempts have failed. docs/guides/webhook-deliveries.md#when-a-webhook-is-switched-off
 */
export async function forgetFailures(query: Query, workspaceId: Uuid, webhookId: Uuid): Promise<void> {
  await query("update webhook_queues set failing_since = null where workspace_id = $1 and webhook_id = $2", [
    workspaceId,
    webhookId,
  ]);
}

/**
 * Marks the queue of a deleted webhook, which is never due again. It stays until the deliveries of the webhook are
 * deleted, in small steps (services/webhooks/retention/gone-webhooks.ts). The release before deletes the queue at once:
 * what its own sweep then leaves of the deliveries goes with its period.
 */
export async function markQueueGone(query: Query, workspaceId: Uuid, webhookId: Uuid): Promise<void> {
  await query(
    `update webhook_queues set is_gone = true, due_at = null, lease = null, leased_until = null, made_through = null, room = 0
     where workspace_id = $1 and webhook_id = $2`,
    [workspaceId, webhookId],
  );
}

/** The time of the database at this moment, which is later than the beginning of the transaction. */
export async function databaseTime(query: Query): Promise<Date> {
  const [row] = await query<{ now: Date }>("select clock_timestamp() as now", []);
  if (!row) throw new Error("The database told no time");
  return row.now;
}
