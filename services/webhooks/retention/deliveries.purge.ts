import { type Step, workInSteps } from "../../../base/jobs/steps.ts";
import { firstUuidOf } from "../../../base/values/ids.ts";
import type { Database } from "../../../database/database.ts";
import { REST } from "./rest.ts";

/** Rows that one statement deletes. Nobody waits for them. */
const BATCH = 1000;
/** Webhooks that one statement looks at. Each costs it a few steps down an index. */
const WEBHOOKS = 200;

const FIRST = "00000000-0000-0000-0000-000000000000";
const LAST = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** A webhook that deliveries name. */
interface Named {
  workspaceId: string;
  webhookId: string;
  /** Whether the webhook is gone. */
  isGone: boolean;
  /** Whether some of its deliveries are to be deleted. */
  isDue: boolean;
}

type Place = Pick<Named, "workspaceId" | "webhookId">;

/**
 * Deletes the deliveries that were made before a time and are not pending, and all those of webhooks that are gone: webhook by
 * webhook, the oldest first. Several processes may do so at once. Gives how many it has deleted.
 *
 * No index has the time, since it would cost every delivery. Ids ascend with it, so the index of a webhook's deliveries finds them.
 * docs/guides/running.md#what-is-kept-how-long
 */
export function purgeDeliveries(
  { queryAlone }: Pick<Database, "queryAlone">,
  before: Date,
  signal?: AbortSignal,
): Promise<number> {
  const end = firstUuidOf(before.getTime());

  async function purgeOf({ workspaceId, webhookId, isGone }: Named): Promise<number> {
    async function step(from: string): Promise<Step<string>> {
      const values = [workspaceId, webhookId, from, isGone ? LAST : end, isGone, before];
      const [row] = await queryAlone<{ count: number; last: string | null }>(PURGE, values);
      const { count, last } = row ?? { count: 0, last: null };
      return { count, next: count === BATCH ? last : null };
    }
    return workInSteps(FIRST, step, { rest: REST, signal });
  }

  async function step({ workspaceId, webhookId }: Place): Promise<Step<Place>> {
    const named = await queryAlone<Named>(NAMED, [workspaceId, webhookId, end]);
    let count = 0;
    for (const one of named.filter(({ isDue }) => isDue)) if (!signal?.aborted) count += await purgeOf(one);
    return { count, next: named.length === WEBHOOKS ? (named.at(-1) ?? null) : null };
  }

  // Who has deleted something has rested meanwhile.
  return workInSteps<Place>({ workspaceId: FIRST, webhookId: FIRST }, step, { rest: 0, signal });
}

/** The next webhooks that deliveries name: of each one entry of the index is read, however many deliveries it has. */
const NAMED = `/* background */
with recursive named (workspace_id, webhook_id, n) as (
  (select workspace_id, webhook_id, 1 from deliveries where (workspace_id, webhook_id) > ($1, $2) order by workspace_id, webhook_id limit 1)
  union all
  select next.* from named cross join lateral (
    select d.workspace_id, d.webhook_id, named.n + 1 from deliveries d
    where (d.workspace_id, d.webhook_id) > (named.workspace_id, named.webhook_id) order by d.workspace_id, d.webhook_id limit 1
  ) next where named.n < ${WEBHOOKS}
), judged as materialized (
  select named.*, not exists (select from webhooks w where w.workspace_id = named.workspace_id and w.id = named.webhook_id) as gone from named
)
select workspace_id as "workspaceId", webhook_id as "webhookId", gone as "isGone", gone or exists (
  select from deliveries d where d.workspace_id = judged.workspace_id and d.webhook_id = judged.webhook_id
    and d.id < $3 and d.status <> 'pending') as "isDue"
from judged order by n`;

/** Those that a sender, or another process that purges, has locked are passed over. */
const PURGE = `/* background */
with old as (
  delete from deliveries where ctid = any(array(
    select ctid from deliveries where workspace_id = $1 and webhook_id = $2 and id > $3 and id < $4
      and ($5 or (status <> 'pending' and created_at < $6))
    order by id limit ${BATCH} for update skip locked))
  returning id
)
select count(*)::int as count, max(id::text) as last from old`;
