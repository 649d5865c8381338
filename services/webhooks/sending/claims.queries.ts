import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import { byWorkspace } from "../../../database/by-workspace.ts";
import type { Query } from "../../../database/query.ts";
import { printUuids } from "../../../database/uuid-list.ts";
import type { Queue } from "./queues.queries.ts";

/** A queue that was free when it was looked at. */
interface Found extends Pick<Queue, "workspaceId" | "webhookId" | "isFailing"> {}

/** Bounds of a claim. */
interface Bounds {
  count: number;
  failingMost: number;
  ofOneMost: number;
}

/** Number of due queues that are looked at, the longest overdue first, to find the queues of each workspace. */
const LOOKED_AT_MAX = 5_000;
/** Maximum number of looks of one claim. Another process may take the queues that the first one has found. */
const LOOKS_MAX = 2;

/** @param held SQL of the leases that this process holds */
const mayBeTaken = (held: string) =>
  `not q.is_gone and q.due_at <= now() and (q.lease is null or q.leased_until < now() and q.lease <> all (${held}))`;

/**
 * Takes webhooks whose deliveries are due and that no process holds, up to the free places: first those whose last
 * attempt has not failed. Among the rest the workspaces take turns, each with the webhooks that have been due longest.
 *
 * One statement looks for them in all workspaces, without locks. Those that it finds are then taken, each workspace by
 * itself. When another process has taken some of them meanwhile, or the publisher has them locked, there is one more
 * look, for others in their place.
 * @param failingMost maximum number of webhooks whose last attempt has failed
 * @param held webhooks that this process holds; they are not taken a second time, even if a lease has run out
 * @param ofOneMost maximum number of webhooks of one workspace that this process holds
 */
export async function claimQueues(
  query: Query,
  count: number,
  leaseMs: number,
  failingMost: number,
  held: readonly Queue[],
  ofOneMost: number = count,
): Promise<Queue[]> {
  const claimed: Queue[] = [];
  const tried = new Set<Uuid>();
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const bounds = {
      count: count - claimed.length,
      failingMost: failingMost - claimed.filter(({ isFailing }) => isFailing).length,
      ofOneMost,
    };
    const found = await lookForQueues(query, bounds, [...held, ...claimed], tried);
    const taken = await takeQueues(query, found, leaseMs, held);
    claimed.push(...taken);
    if (taken.length === found.length) break;
    for (const { webhookId } of found) tried.add(webhookId);
  }
  return claimed;
}

/**
 * SQL for the queues that may be taken, those with this condition, in the order in which they are to be. Workspaces
 * take turns, and each has its part of what this process holds at most, so one with a thousand webhooks leaves places
 * for the others.
 */
const inTurns = (condition: string) => `
  select t.workspace_id, t.webhook_id, t.is_failing, t.turn, t.due_at from (
    select due.*, row_number() over (partition by workspace_id order by due_at) as turn from (
      select q.workspace_id, q.webhook_id, q.due_at, q.failing_since is not null as is_failing from webhook_queues q
      where ${mayBeTaken("$3::uuid[]")} and ${condition} order by q.due_at limit ${LOOKED_AT_MAX}) due
  ) t left join (select workspace_id, count(*) from unnest($4::uuid[]) h (workspace_id) group by workspace_id) h on h.workspace_id = t.workspace_id
  where t.turn <= $5::int - coalesce(h.count, 0)
  order by t.turn, t.due_at`;

/** Citus asks each shard for the queues that are due, and the coordinator lets the workspaces take turns. */
const LOOK = `/* background */
select workspace_id as "workspaceId", webhook_id as "webhookId", is_failing as "isFailing" from (
  (${inTurns("q.failing_since is null")} limit $1::int) union all (${inTurns("q.failing_since is not null")} limit $2::int)
) q order by is_failing, turn, due_at`;

/** @param tried webhooks that could not be taken, and are left out */
async function lookForQueues(
  query: Query,
  { count, failingMost, ofOneMost }: Bounds,
  held: readonly Queue[],
  tried: ReadonlySet<Uuid>,
): Promise<Found[]> {
  const rows = await query<Found>(LOOK, [
    count + tried.size,
    Math.min(count, failingMost) + tried.size,
    printUuids(held.map(({ lease }) => lease)),
    printUuids(held.map(({ workspaceId }) => workspaceId)),
    ofOneMost + tried.size,
  ]);
  const fresh = rows.filter(({ webhookId }) => !tried.has(webhookId));
  const healthy = fresh.filter(({ isFailing }) => !isFailing).slice(0, count);
  const failing = fresh.filter(({ isFailing }) => isFailing);
  return [...healthy, ...failing.slice(0, Math.min(failingMost, count - healthy.length))];
}

/** One that has failed or succeeded since the look is left to the next one, which counts it among the others. */
const TAKE = `/* background */
with free as (
  select q.webhook_id, n.lease, w.status from unnest($2::uuid[], $3::uuid[], $4::boolean[]) n (webhook_id, lease, is_failing)
  join webhook_queues q on q.workspace_id = $1 and q.webhook_id = any($2::uuid[]) and q.webhook_id = n.webhook_id and (q.failing_since is not null) = n.is_failing
    and ${mayBeTaken("$6::uuid[]")}
  left join webhooks w on w.workspace_id = $1 and w.id = q.webhook_id
  for update of q skip locked
)
update webhook_queues q set lease = free.lease, leased_until = now() + $5 * interval '1 ms' from free
where q.workspace_id = $1 and q.webhook_id = free.webhook_id
returning q.workspace_id as "workspaceId", q.webhook_id as "webhookId", q.lease, q.failing_since is not null as "isFailing", free.status`;

function takeQueues(query: Query, found: readonly Found[], leaseMs: number, held: readonly Queue[]): Promise<Queue[]> {
  return byWorkspace(found, (workspaceId, queues) =>
    query<Queue>(TAKE, [
      workspaceId,
      printUuids(queues.map(({ webhookId }) => webhookId)),
      // Citus gives each shard the same values, so the statement cannot make them.
      printUuids(queues.map(() => newUuid())),
      queues.map(({ isFailing }) => isFailing),
      leaseMs,
      printUuids(held.filter((one) => one.workspaceId === workspaceId).map(({ lease }) => lease)),
    ]),
  );
}
