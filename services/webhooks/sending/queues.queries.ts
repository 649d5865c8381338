import type { Uuid } from "../../../base/values/ids.ts";
import { byWorkspace } from "../../../database/by-workspace.ts";
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

/**
 * The queues of a statement that are still held. $1 is their workspace. `any` keeps PostgreSQL from reading all queues
 * of a workspace that has thousands.
 */
const HELD = `unnest($2::uuid[], $3::uuid[]) h (webhook_id, lease)
  join webhook_queues q on q.workspace_id = $1 and q.webhook_id = any($2::uuid[]) and q.webhook_id = h.webhook_id and q.lease = h.lease`;

function keysOf(queues: readonly Queue[]): string[] {
  return [printUuids(queues.map(({ webhookId }) => webhookId)), printUuids(queues.map(({ lease }) => lease))];
}

/** Those of these queues that have one of the leases. */
function withLease<One extends Queue>(queues: readonly One[], rows: readonly { lease: Uuid }[]): Set<One> {
  const leases = new Set(rows.map(({ lease }) => lease));
  return new Set(queues.filter(({ lease }) => leases.has(lease)));
}

const RENEW = `/* background */
with free as (select q.webhook_id from ${HELD} for update of q skip locked)
update webhook_queues q set leased_until = now() + $4 * interval '1 ms' from free
where q.workspace_id = $1 and q.webhook_id = free.webhook_id returning q.lease`;

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
  const rows = await byWorkspace(queues, (workspaceId, some) =>
    query<{ lease: Uuid }>(RENEW, [workspaceId, ...keysOf(some), leaseMs]),
  );
  const renewed = withLease(queues, rows);
  const held = await stillHeld(
    query,
    queues.filter((queue) => !renewed.has(queue)),
  );
  return new Map(
    queues.flatMap((queue): [Queue, boolean][] =>
      renewed.has(queue) ? [[queue, true]] : held.has(queue) ? [[queue, false]] : [],
    ),
  );
}

/** The queues that this process still holds. */
export async function stillHeld(query: Query, queues: readonly Queue[]): Promise<Set<Queue>> {
  const rows = await byWorkspace(queues, (workspaceId, some) =>
    query<{ lease: Uuid }>(`/* background */ select q.lease from ${HELD}`, [workspaceId, ...keysOf(some)]),
  );
  return withLease(queues, rows);
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

/**
 * SQL of what becomes of a queue `q` by the outcomes `h`. It stands in a part of the statement that locks the queue,
 * which PostgreSQL runs by itself: Citus refuses an update with such a condition on the time.
 */
const HEALTH = `case when h.succeeded then now() else q.last_success_at end as last_success_at,
  case when h.failed then coalesce(case when not h.succeeded then q.failing_since end, now())
    when h.succeeded then null else q.failing_since end as failing_since`;
const SET_HEALTH = "last_success_at = h.last_success_at, failing_since = h.failing_since";

/** The queues of a statement that are still held, with the outcomes of their attempts. */
const HELD_WITH_HEALTH = `unnest($2::uuid[], $3::uuid[], $4::boolean[], $5::boolean[]) h (webhook_id, lease, succeeded, failed)
  join webhook_queues q on q.workspace_id = $1 and q.webhook_id = any($2::uuid[]) and q.webhook_id = h.webhook_id and q.lease = h.lease`;

const WRITE_HEALTH = `/* background */
with h as (select q.webhook_id, ${HEALTH} from ${HELD_WITH_HEALTH} for update of q skip locked)
update webhook_queues q set ${SET_HEALTH} from h
where q.workspace_id = $1 and q.webhook_id = h.webhook_id returning q.lease`;

/**
 * Writes the outcomes of attempts, and returns the queues for which it could: other transactions are writing to the
 * rest.
 */
export async function writeHealth(query: Query, health: ReadonlyMap<Queue, Health>): Promise<Set<Queue>> {
  const queues = [...health.keys()];
  const rows = await byWorkspace(queues, (workspaceId, some) =>
    query<{ lease: Uuid }>(WRITE_HEALTH, [workspaceId, ...keysOf(some), ...healthOf(some, health)]),
  );
  return withLease(queues, rows);
}

function healthOf(queues: readonly Queue[], health: ReadonlyMap<Queue, Health>): boolean[][] {
  const all = queues.map((queue) => health.get(queue));
  return [all.map((one) => one?.hasSucceeded ?? false), all.map((one) => one?.hasFailed ?? false)];
}

/**
 * Gives queues back, to be taken again when the first of their pending deliveries is due, behind the queues that wait
 * already if it is due now. Queues of inactive webhooks are due at once, because their deliveries are to be cancelled.
 * Queues without a webhook are marked as gone. Each workspace has a transaction of its own.
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
export async function releaseQueues(
  { transaction }: Pick<Database, "transaction">,
  health: ReadonlyMap<Queue, Health>,
  waits: boolean,
): Promise<Set<Queue>> {
  const lock = `select q.lease from ${HELD} for update of q${waits ? "" : " skip locked"}`;
  const released = await byWorkspace([...health.keys()], (workspaceId, queues) =>
    transaction(
      async (trx) => {
        const [rows = []] = (await trx.opened) as { lease: Uuid }[][];
        const locked = [...withLease(queues, rows)];
        if (locked.length > 0) await run(trx, RELEASE, [workspaceId, ...keysOf(locked), ...healthOf(locked, health)]);
        return locked;
      },
      { opening: [{ text: lock, values: [workspaceId, ...keysOf(queues)] }] },
    ),
  );
  return new Set(released);
}

const RELEASE = `
with h as (
  select q.webhook_id, ${HEALTH}, w.id is null as is_gone,
    case when d.next_attempt_at is null or w.id is null then null when w.status = 'active' then greatest(d.next_attempt_at, now()) else now() end as due_at
  from ${HELD_WITH_HEALTH}
  left join webhooks w on w.workspace_id = $1 and w.id = h.webhook_id
  left join lateral (
    select next_attempt_at from deliveries where workspace_id = $1 and webhook_id = h.webhook_id and status = 'pending'
    order by next_attempt_at limit 1
  ) d on true
  for update of q
)
update webhook_queues q set lease = null, leased_until = null, is_gone = h.is_gone, due_at = h.due_at, ${SET_HEALTH} from h
where q.workspace_id = $1 and q.webhook_id = h.webhook_id`;
