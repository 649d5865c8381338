import { type Database, run } from "../../../database/database.ts";
import type { Query } from "../../../database/query.ts";
import type { Queue } from "./queues.queries.ts";

/** Maximum number of deliveries that one statement cancels. */
const CANCELLED_AT_ONCE = 500;

/** Why a webhook becomes inactive by itself. docs/guides/webhook-deliveries.md#when-a-webhook-is-switched-off */
export type StopReason = { because: "gone"; targetUrl: string } | { because: "failing"; sinceDays: number };

/**
 * Makes a webhook inactive, if it still has the target that is gone or has failed for this time; returns whether it
 * did. Every process then learns that the webhooks of the workspace have changed.
 */
export async function stopWebhook(
  database: Pick<Database, "transaction">,
  { workspaceId, webhookId }: Queue,
  reason: StopReason,
): Promise<boolean> {
  const isDue =
    reason.because === "gone"
      ? "w.target_url = $4"
      : `exists (select from webhook_queues q where q.workspace_id = $1 and q.webhook_id = $2
           and q.failing_since <= now() - $4::float8 * interval '1 day')`;
  const value = reason.because === "gone" ? reason.targetUrl : reason.sinceDays;
  return database.transaction(async (trx) => {
    const stopped = await run(
      trx,
      `update webhooks w set status = 'inactive', stopped_at = now(), stopped_because = $3
       where w.workspace_id = $1 and w.id = $2 and w.status = 'active' and ${isDue} returning w.id`,
      [workspaceId, webhookId, reason.because, value],
    );
    if (stopped.length === 0) return false;
    await run(trx, "update workspaces set webhooks_version = webhooks_version + 1 where id = $1", [workspaceId]);
    return true;
  });
}

/**
 * Cancels pending deliveries that are no longer to be sent: all of an inactive webhook, and the older ones of a webhook
 * that is active again. It works in small steps, so that a hundred thousand of them hold up no other statement. Each
 * step begins where the one before ended, and does not read the cancelled rows again. If the signal is aborted, the
 * next process that takes the queue does the rest. `writeResults` explains why `status` is compared as a column.
 */
export async function cancelStopped(
  query: Query,
  { workspaceId, webhookId }: Queue,
  signal: AbortSignal,
): Promise<void> {
  let from: Date | "-infinity" = "-infinity";
  while (!signal.aborted) {
    const cancelled: { at: Date }[] = await query<{ at: Date }>(CANCEL, [workspaceId, webhookId, from]);
    if (cancelled.length < CANCELLED_AT_ONCE) return;
    from = new Date(Math.max(...cancelled.map(({ at }) => at.getTime())));
  }
}

const CANCEL = `/* background */
update deliveries d set status = 'cancelled', next_attempt_at = null
from (
  select p.webhook_id, p.id, p.period, p.status, p.next_attempt_at from deliveries p
  join webhooks w on w.workspace_id = $1 and w.id = $2
  where p.workspace_id = $1 and p.webhook_id = $2 and p.status = 'pending'
    and (w.status = 'inactive' or p.created_at <= w.stopped_at) and p.next_attempt_at >= $3::timestamptz
  order by p.next_attempt_at limit ${CANCELLED_AT_ONCE}
) stopped
where d.workspace_id = $1 and d.webhook_id = $2 and d.id = stopped.id and d.period = stopped.period and d.status = stopped.status
returning stopped.next_attempt_at as at`;
