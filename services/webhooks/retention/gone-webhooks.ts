import { type Step, workInSteps } from "../../../base/jobs/steps.ts";
import { NIL_UUID, type Uuid } from "../../../base/values/ids.ts";
import type { Database } from "../../../database/database.ts";
import type { Query } from "../../../database/query.ts";

/** Number of webhooks that one look finds. */
const WEBHOOKS_AT_ONCE = 100;
/** Number of deliveries that one statement deletes. */
const DELIVERIES_AT_ONCE = 1_000;

/** A deleted webhook whose queue is still there. */
interface Gone {
  workspaceId: Uuid;
  webhookId: Uuid;
}

const LOOK = `/* background */
select workspace_id as "workspaceId", webhook_id as "webhookId" from webhook_queues where is_gone
order by workspace_id, webhook_id limit ${WEBHOOKS_AT_ONCE}`;

/** $3 is the last delivery of the statement before. The ids are chosen once, and then found by the primary key. */
const DELETE_DELIVERIES = `/* background */
delete from deliveries where workspace_id = $1 and webhook_id = $2 and id = any(array(
  select id from deliveries where workspace_id = $1 and webhook_id = $2 and id > $3
  order by id limit ${DELIVERIES_AT_ONCE} for update skip locked))
returning id`;

const DELETE_QUEUE = `/* background */
delete from webhook_queues where workspace_id = $1 and webhook_id = $2 and is_gone
  and not exists (select from deliveries where workspace_id = $1 and webhook_id = $2) returning webhook_id`;

/**
 * Deletes the deliveries of deleted webhooks in small steps, and each queue after its last delivery, so that nothing is
 * forgotten when a process is stopped. Several processes may do so at once: each passes over the rows that another one
 * deletes. docs/decisions/0015-secrets-and-retention.md#retention
 * @param signal ends it after the statement that is running
 * @returns the number of deliveries that are deleted
 */
export async function deleteGoneWebhooks(
  { queryPlanned }: Pick<Database, "queryPlanned">,
  signal?: AbortSignal,
): Promise<number> {
  let deleted = 0;
  for (;;) {
    const gone = await queryPlanned<Gone>(LOOK, []);
    let left = gone.length;
    for (const webhook of gone) {
      if (signal?.aborted) return deleted;
      deleted += await workInSteps(NIL_UUID, (after) => deleteDeliveries(queryPlanned, webhook, after), { signal });
      if (await hasDeletedQueue(queryPlanned, webhook)) left -= 1;
    }
    // Those that are left have a delivery that another process has locked. They are found a minute later.
    if (gone.length < WEBHOOKS_AT_ONCE || left > 0) return deleted;
  }
}

async function deleteDeliveries(query: Query, { workspaceId, webhookId }: Gone, after: Uuid): Promise<Step<Uuid>> {
  const rows = await query<{ id: Uuid }>(DELETE_DELIVERIES, [workspaceId, webhookId, after]);
  const last = rows.reduce((highest, { id }) => (id > highest ? id : highest), after);
  return { count: rows.length, next: rows.length === DELIVERIES_AT_ONCE ? last : null };
}

async function hasDeletedQueue(query: Query, { workspaceId, webhookId }: Gone): Promise<boolean> {
  return (await query(DELETE_QUEUE, [workspaceId, webhookId])).length > 0;
}
