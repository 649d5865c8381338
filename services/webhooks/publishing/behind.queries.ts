import type { Uuid } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";
import { printUuids } from "../../../database/uuid-list.ts";

/** The webhooks of a workspace that are behind. */
export async function behindOf(query: Query, workspaceId: Uuid): Promise<Set<Uuid>> {
  const rows = await query<{ webhookId: Uuid }>(
    `/* background */ select webhook_id as "webhookId" from webhook_queues
     where workspace_id = $1 and made_through is not null`,
    [workspaceId],
  );
  return new Set(rows.map(({ webhookId }) => webhookId));
}

/**
 * Marks all webhooks of a workspace as behind that are not so yet.
 * @param position behind which deliveries are still to be made
 */
export async function leaveBehind(query: Query, workspaceId: Uuid, position: number): Promise<void> {
  await query(
    `update webhook_queues q set made_through = $2 from webhooks w
     where q.workspace_id = $1 and w.workspace_id = q.workspace_id and w.id = q.webhook_id and w.status = 'active'
       and q.made_through is null`,
    [workspaceId, position],
  );
}

/**
 * SQL over the workspace `s`, which is $1, for the bounds of its pending deliveries, of which it may have `pendingMax`.
 * Any webhooks may have the first half of them; the other half is divided evenly: one whose receiver is dead has the
 * first half at most, and each other still its share.
 * @param pendingMax SQL of the number
 */
const bounds = (pendingMax: string) => `select s.id, ${pendingMax} / 2 as half,
  greatest(1, ${pendingMax} / 2 / greatest(1, (select count(*) from webhooks where workspace_id = $1 and status = 'active')))::int as share,
  (select count(*) from (select from deliveries where workspace_id = $1 and status = 'pending' limit ${pendingMax} / 2 + 1) d) as total`;

/**
 * SQL that is true when more deliveries may be made for the webhook `u` of the workspace `s`, which is $1. The
 * deliveries of the webhook are counted only when those of the workspace are many.
 */
const HAS_ROOM = `case when s.total <= s.half then true else (
  select count(*) <= s.share / 2 from (select from deliveries d where d.workspace_id = $1 and d.webhook_id = u.webhook_id
    and d.status = 'pending' limit s.share / 2 + 1) c) end`;

/**
 * Counts the pending deliveries of webhooks whose room is used up. A webhook may go on, or is left behind at the
 * position, until some of its deliveries have ended. docs/guides/webhook-deliveries.md#how-many-may-wait
 */
export async function giveRoom(
  query: Query,
  workspaceId: Uuid,
  { webhooks, position, pendingMax }: { webhooks: readonly Uuid[]; position: number; pendingMax: number },
): Promise<void> {
  await query(
    `with s as materialized (${bounds("$4::int")} from (select $1::uuid as id) s),
     judged as materialized (
       select u.*, s.share, ${HAS_ROOM} as has_room
       from s cross join lateral (select s.id as workspace_id, webhook_id from unnest($2::uuid[]) w (webhook_id)) u
     )
     update webhook_queues q set room = case when j.has_room then greatest(1, j.share / 2) else 0 end,
       made_through = case when not j.has_room then $3::bigint end
     from judged j where q.workspace_id = $1 and q.webhook_id = j.webhook_id`,
    [workspaceId, printUuids(webhooks), position, pendingMax],
  );
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
         and not exists (select from webhooks w where w.workspace_id = $1 and w.id = q.webhook_id and w.status = 'active')
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
