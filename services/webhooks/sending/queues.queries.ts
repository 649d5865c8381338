import type { Uuid } from "../../../base/values/ids.ts";
import { type Database, run } from "../../../database/database.ts";
import type { Query } from "../../../database/query.ts";
import { printUuids } from "../../../database/uuid-list.ts";

/** The deliveries of a webhook, which this process sends as long as it holds the lease. */
export interface Queue {
  workspaceId: Uuid;
  webhookId: Uuid;
  lease: Uuid;
  isFailing: boolean;
  /** Null when the webhook was deleted. */
  status: "active" | "inactive" | null;
}

/** Outcomes of attempts since the last write. */
export interface Health {
  hasSucceeded: boolean;
  /** Whether attempts have failed, behind the last one that succeeded. */
  hasFailed: boolean;
}

const MAY_BE_TAKEN =
  "q.due_at <= now() and (q.lease is null or q.leased_until < now() and q.lease <> all ($4::uuid[]))";
/** Number of due queues that are looked at, the longest overdue first, to find the queues of each workspace. */
const LOOKED_AT_MAX = 5_000;

/**
 * SQL for the queues that may be taken, those with this condition. Workspaces take turns, and each has its part of what
 * this process holds at most, so one with a thousand webhooks leaves places for the others.
 */
const inTurns = (condition: string) => `
  select q.workspace_id, q.webhook_id from (
    select *, row_number() over (partition by workspace_id order by due_at) as turn from (
      select q.workspace_id, q.webhook_id, q.due_at from webhook_queues q where ${MAY_BE_TAKEN} and ${condition}
      order by q.due_at limit ${LOOKED_AT_MAX}) due
  ) t join webhook_queues q on q.workspace_id = t.workspace_id and q.webhook_id = t.webhook_id and ${MAY_BE_TAKEN} and ${condition}
  left join (select workspace_id, count(*) from unnest($6::uuid[]) h (workspace_id) group by workspace_id) h on h.workspace_id = t.workspace_id
  where t.turn <= $5::int - coalesce(h.count, 0)
  order by t.turn, t.due_at`;

/**
 * Takes webhooks whose deliveries are due and that no process holds, up to the free places: first those whose last
 * attempt has not failed. Among the rest the workspaces take turns, each with the webhooks that have been due longest.
 * @param failingMost maximum number of webhooks whose last attempt has failed
 * @param held webhooks that this process holds; they are not taken a second time, even if a lease has run out
 * @param ofOneMost maximum number of webhooks of one workspace that this process holds
 */
export function claimQueues(
  query: Query,
  count: number,
  leaseMs: number,
  failingMost: number,
  held: readonly Queue[],
  ofOneMost: number = count,
): Promise<Queue[]> {
  return query<Queue>(
    `/* background */ with healthy as (
       ${inTurns("q.failing_since is null")} limit $1 for update of q skip locked
     ), failing as (
       ${inTurns("q.failing_since is not null")} limit least($3::bigint, $1 - (select count(*) from healthy)) for update of q skip locked
     ), due as (select * from healthy union all select * from failing)
     update webhook_queues q set lease = gen_random_uuid(), leased_until = now() + $2 * interval '1 ms'
     from due left join webhooks w on w.workspace_id = due.workspace_id and w.id = due.webhook_id
     where q.workspace_id = due.workspace_id and q.webhook_id = due.webhook_id
     returning q.workspace_id as "workspaceId", q.webhook_id as "webhookId", q.lease, q.failing_since is not null as "isFailing",
       w.status`,
    [
      count,
      leaseMs,
      failingMost,
      printUuids(held.map(({ lease }) => lease)),
      ofOneMost,
      printUuids(held.map(({ workspaceId }) => workspaceId)),
    ],
  );
}

/** The queues of a statement that are still held. */
const HELD = `unnest($1::uuid[], $2::uuid[], $3::uuid[]) h (workspace_id, webhook_id, lease)
  join webhook_queues q on q.workspace_id = h.workspace_id and q.webhook_id = h.webhook_id and q.lease = h.lease`;

function keysOf(queues: readonly Queue[]): string[] {
  return [
    printUuids(queues.map(({ workspaceId }) => workspaceId)),
    printUuids(queues.map(({ webhookId }) => webhookId)),
    printUuids(queues.map(({ lease }) => lease)),
  ];
}

/**
 * Makes leases last longer, and gives the queues that are still held, each with whether it was renewed. A row that the
 * publisher has locked is not: waiting for many locks here, while the publisher waits for others of them, would be a
 * deadlock.
 */
export async function renewLeases(
  query: Query,
  queues: readonly Queue[],
  leaseMs: number,
): Promise<Map<Queue, boolean>> {
  const rows = await query<{ lease: Uuid; isRenewed: boolean }>(
    `/* background */ with free as (select q.workspace_id, q.webhook_id from ${HELD} for update of q skip locked),
     renewed as (
       update webhook_queues q set leased_until = now() + $4 * interval '1 ms'
       from free f where q.workspace_id = f.workspace_id and q.webhook_id = f.webhook_id
     )
     select q.lease, f.webhook_id is not null as "isRenewed"
     from ${HELD} left join free f on f.workspace_id = q.workspace_id and f.webhook_id = q.webhook_id`,
    [...keysOf(queues), leaseMs],
  );
  const renewed = new Map(rows.map(({ lease, isRenewed }) => [lease, isRenewed]));
  return new Map(
    queues.flatMap((queue): [Queue, boolean][] => {
      const isRenewed = renewed.get(queue.lease);
      return isRenewed === undefined ? [] : [[queue, isRenewed]];
    }),
  );
}

/**
 * Extends one lease, if it is still held. It waits for a lock, which cannot deadlock because the process holds no other
 * lock.
 */
export async function renewLease(query: Query, queue: Queue, leaseMs: number): Promise<void> {
  await query(
    `/* background */ update webhook_queues set leased_until = now() + $4 * interval '1 ms'
     where workspace_id = $1 and webhook_id = $2 and lease = $3`,
    [queue.workspaceId, queue.webhookId, queue.lease, leaseMs],
  );
}

const HEALTH = `
  last_success_at = case when h.succeeded then now() else q.last_success_at end,
  failing_since = case when h.failed then coalesce(case when not h.succeeded then q.failing_since end, now())
    when h.succeeded then null else q.failing_since end`;

/**
 * Writes the outcomes of attempts, and returns the queues for which it could: other transactions are writing to the
 * rest.
 */
export async function writeHealth(query: Query, health: ReadonlyMap<Queue, Health>): Promise<Set<Queue>> {
  const queues = [...health.keys()];
  const rows = await query<{ lease: Uuid }>(
    `/* background */ with free as (select q.workspace_id, q.webhook_id, q.lease from ${HELD} for update of q skip locked),
     h as (select * from free join unnest($3::uuid[], $4::boolean[], $5::boolean[]) as n (lease, succeeded, failed) using (lease))
     update webhook_queues q set ${HEALTH}
     from h where q.workspace_id = h.workspace_id and q.webhook_id = h.webhook_id returning q.lease`,
    [...keysOf(queues), ...healthOf([...health.values()])],
  );
  const written = new Set(rows.map(({ lease }) => lease));
  return new Set(queues.filter(({ lease }) => written.has(lease)));
}

function healthOf(all: readonly Health[]): boolean[][] {
  return [all.map(({ hasSucceeded }) => hasSucceeded), all.map(({ hasFailed }) => hasFailed)];
}

/**
 * Gives queues back, to be taken again when the first of their pending deliveries is due, behind the queues that wait
 * already if it is due now. Queues of inactive webhooks are due at once, because their deliveries are to be cancelled.
 * Queues of deleted webhooks are deleted.
 *
 * No delivery is missed. A transaction that inserts deliveries locks the row of the queue and sets `due_at`. If it was
 * committed before this transaction got the lock, its deliveries are seen here: the second statement has a snapshot of
 * its own, which is taken after the lock was got. If it is committed later, it has waited for the end of this
 * transaction, and its `due_at` replaces the one that is written here.
 *
 * @param waits true to wait for rows that the publisher has locked. Only a single queue can wait: a process that holds
 *   one lock and waits for the next would deadlock with the publisher, which takes them in another order
 * @returns the queues that were given back. The others are locked, or, with `waits`, no longer held
 */
export function releaseQueues(
  database: Pick<Database, "transaction">,
  health: ReadonlyMap<Queue, Health>,
  waits: boolean,
): Promise<Set<Queue>> {
  const keys = keysOf([...health.keys()]);
  const lock = `select q.lease from ${HELD} for update of q${waits ? "" : " skip locked"}`;
  return database.transaction(
    async (trx) => {
      const query: Query = (sql, values, form) => run(trx, sql, values, form);
      const [rows = []] = (await trx.opened) as { lease: Uuid }[][];
      const locked = new Set(rows.map(({ lease }) => lease));
      const queues = [...health].filter(([{ lease }]) => locked.has(lease));
      const released = queues.map(([queue]) => queue);
      if (released.length === 0) return new Set();
      const lockedKeys = keysOf(released);
      await query(RELEASE, [...lockedKeys, ...healthOf(queues.map(([, one]) => one))]);
      if (released.some(({ status }) => status === null)) await query(DISCARD, lockedKeys);
      return new Set(released);
    },
    { opening: [{ text: lock, values: keys }] },
  );
}

const RELEASE = `
update webhook_queues q set lease = null, leased_until = null, ${HEALTH},
  due_at = (
    select case w.status when 'active' then greatest(d.next_attempt_at, now()) else now() end
    from deliveries d left join webhooks w on w.workspace_id = d.workspace_id and w.id = d.webhook_id
    where d.workspace_id = q.workspace_id and d.webhook_id = q.webhook_id and d.status = 'pending'
    order by d.next_attempt_at limit 1
  )
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::boolean[], $5::boolean[]) h (workspace_id, webhook_id, lease, succeeded, failed)
where q.workspace_id = h.workspace_id and q.webhook_id = h.webhook_id and q.lease = h.lease`;

const DISCARD = `
delete from webhook_queues q using unnest($1::uuid[], $2::uuid[], $3::uuid[]) h (workspace_id, webhook_id, lease)
where q.workspace_id = h.workspace_id and q.webhook_id = h.webhook_id
  and not exists (select from webhooks w where w.workspace_id = q.workspace_id and w.id = q.webhook_id)`;
