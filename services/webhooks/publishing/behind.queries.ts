import type { Uuid } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";
import { printUuids } from "../../../database/uuid-list.ts";

export interface WebhookKey {
  workspaceId: Uuid;
  webhookId: Uuid;
}

/** The webhooks of these workspaces that are behind, by workspace. */
export async function behindOf(query: Query, workspaces: readonly Uuid[]): Promise<Map<Uuid, Set<Uuid>>> {
  const behind = new Map<Uuid, Set<Uuid>>();
  if (workspaces.length === 0) return behind;
  const rows = await query<WebhookKey>(
    `/* background */ select workspace_id as "workspaceId", webhook_id as "webhookId" from webhook_queues
     where workspace_id = any($1::uuid[]) and made_through is not null`,
    [printUuids(workspaces)],
  );
  for (const { workspaceId, webhookId } of rows)
    behind.set(workspaceId, (behind.get(workspaceId) ?? new Set()).add(webhookId));
  return behind;
}

/**
 * Marks all webhooks of workspaces as behind that are not so yet: each workspace from the position at which its
 * deliveries are still to be created.
 */
export async function leaveBehind(query: Query, positions: ReadonlyMap<Uuid, number>): Promise<void> {
  if (positions.size === 0) return;
  await query(
    `update webhook_queues q set made_through = p.position
     from unnest($1::uuid[], $2::bigint[]) p (workspace_id, position)
     join webhooks w on w.workspace_id = p.workspace_id and w.status = 'active'
     where q.workspace_id = w.workspace_id and q.webhook_id = w.id and q.made_through is null`,
    [printUuids([...positions.keys()]), [...positions.values()]],
  );
}

/**
 * SQL over a workspace `s` for the bounds of its pending deliveries, of which it may have `pendingMax`. Any webhooks
 * may have the first half of them; the other half is divided evenly: one whose receiver is dead has the first half at
 * most, and each other still its share.
 * @param pendingMax SQL of the number
 */
const bounds = (pendingMax: string) => `select s.id, ${pendingMax} / 2 as half,
  greatest(1, ${pendingMax} / 2 / greatest(1, (select count(*) from webhooks where workspace_id = s.id and status = 'active')))::int as share,
  (select count(*) from (select from deliveries where workspace_id = s.id and status = 'pending' limit ${pendingMax} / 2 + 1) d) as total`;

/**
 * SQL that is true when more deliveries may be made for the webhook `u` of the workspace `s`. The deliveries of the
 * webhook are counted only when those of the workspace are many.
 */
const HAS_ROOM = `case when s.total <= s.half then true else (
  select count(*) <= s.share / 2 from (select from deliveries d where d.workspace_id = u.workspace_id and d.webhook_id = u.webhook_id
    and d.status = 'pending' limit s.share / 2 + 1) c) end`;

/**
 * Counts the pending deliveries of webhooks whose room is used up. A webhook may go on, or is left behind at the
 * position, until some of its deliveries have ended. docs/guides/webhook-deliveries.md#how-many-may-wait
 */
export async function giveRoom(
  query: Query,
  webhooks: readonly WebhookKey[],
  position: number,
  pendingMax: number,
): Promise<void> {
  if (webhooks.length === 0) return;
  await query(
    `with s as materialized (${bounds("$5::int")} from unnest($1::uuid[]) s (id)),
     judged as materialized (
       select u.*, s.share, ${HAS_ROOM} as has_room
       from unnest($2::uuid[], $3::uuid[]) u (workspace_id, webhook_id) join s on s.id = u.workspace_id
     )
     update webhook_queues q set room = case when j.has_room then greatest(1, j.share / 2) else 0 end,
       made_through = case when not j.has_room then $4::bigint end
     from judged j where q.workspace_id = j.workspace_id and q.webhook_id = j.webhook_id`,
    [
      printUuids([...new Set(webhooks.map(({ workspaceId }) => workspaceId))]),
      printUuids(webhooks.map(({ workspaceId }) => workspaceId)),
      printUuids(webhooks.map(({ webhookId }) => webhookId)),
      position,
      pendingMax,
    ],
  );
}

/**
 * The workspace whose turn it is: the next one, in the order of their ids, with a webhook that is behind; undefined
 * behind the last one.
 */
export async function nextBehind(query: Query, after: Uuid): Promise<Uuid | undefined> {
  const [next] = await query<{ workspaceId: Uuid }>(
    `/* background */ select workspace_id as "workspaceId" from webhook_queues where made_through is not null and workspace_id > $1
     order by workspace_id limit 1`,
    [after],
  );
  return next?.workspaceId;
}

/** A webhook that is behind, for which deliveries may be made. */
export interface Behind {
  webhookId: Uuid;
  /** Deliveries of events behind this position are to be made. */
  through: number;
  /** Number of deliveries that may be made. */
  room: number;
}

/**
 * The active webhooks of a workspace that are behind and have room. Those that are not active any more are behind no
 * longer: when one becomes active again, it begins anew.
 * @param most room of each while the first half of the workspace is not used up
 */
export function readBehind(query: Query, workspaceId: Uuid, most: number, pendingMax: number): Promise<Behind[]> {
  return query<Behind>(
    `/* background */ with stopped as (
       update webhook_queues q set made_through = null where q.workspace_id = $1 and q.made_through is not null
         and not exists (select from webhooks w where w.workspace_id = q.workspace_id and w.id = q.webhook_id and w.status = 'active')
     ), s as materialized (${bounds("$3::int")} from unnest(array[$1::uuid]) s (id)),
     u as materialized (
       select q.workspace_id, q.webhook_id, q.made_through from webhook_queues q
       join webhooks w on w.workspace_id = q.workspace_id and w.id = q.webhook_id and w.status = 'active'
       where q.workspace_id = $1 and q.made_through is not null
     )
     select webhook_id as "webhookId", made_through::float8 as through,
       case when s.total <= s.half then $2::int else greatest(1, s.share / 2) end as room
     from u cross join s where ${HAS_ROOM}`,
    [workspaceId, most, pendingMax],
  );
}

/** Position of a webhook after a turn; null when it is not behind any more. */
export interface Reached {
  webhookId: Uuid;
  through: number | null;
}

/**
 * Writes the positions that webhooks have reached. A webhook that became active again meanwhile has started from the
 * present, and is left alone.
 */
export async function writeReached(query: Query, workspaceId: Uuid, reached: readonly Reached[]): Promise<void> {
  await query(
    `update webhook_queues q set made_through = r.through, room = 0
     from unnest($2::uuid[], $3::bigint[]) r (webhook_id, through)
     where q.workspace_id = $1 and q.webhook_id = r.webhook_id and q.made_through is not null`,
    [workspaceId, printUuids(reached.map(({ webhookId }) => webhookId)), reached.map(({ through }) => through)],
  );
}
