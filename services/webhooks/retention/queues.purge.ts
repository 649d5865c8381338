import type { Database } from "../../../database/database.ts";

const BATCH = 500;

/**
 * Deletes queues of webhooks that are gone. Who deletes a webhook deletes its queue too; this is for what was written beside the
 * deletion of a whole workspace. There are as few of them as there are webhooks, so they are read as a whole.
 */
export async function purgeQueues({ queryAlone }: Pick<Database, "queryAlone">): Promise<number> {
  const [row] = await queryAlone<{ count: number }>(PURGE, []);
  return row?.count ?? 0;
}

const PURGE = `/* background */
with gone as (
  delete from webhook_queues where ctid = any(array(
    select q.ctid from webhook_queues q
    where not exists (select from webhooks w where w.workspace_id = q.workspace_id and w.id = q.webhook_id)
    limit ${BATCH} for update of q skip locked))
  returning 1
)
select count(*)::int as count from gone`;
