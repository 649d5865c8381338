import type { Query, TextRow } from "../database/query.ts";
import { printUuids } from "../database/uuid-list.ts";
import type { Uuid } from "../values/ids.ts";
import { ACTIVITY_READ, ANYBODY } from "./activity.ts";

// Who changes counts takes rows in one order, so that nobody deadlocks: interactions, what is not counted yet, and then of each
// entity the row of anybody before those of users. docs/decisions/0010-interactions.md

/** How many interactions are counted in one transaction. */
const COUNTED_AT_ONCE = 2000;

/**
 * Counts interactions whose time has come, oldest first, and gives how many. Several processes may do so at once: each takes what
 * no other has taken.
 */
export async function countDue(query: Query): Promise<number> {
  const [row] = await query<{ count: number }>(COUNT_DUE, [ANYBODY]);
  return row?.count ?? 0;
}

const COUNT_DUE = `
with due as (
  select workspace_id, entity_id, interaction_id from interaction_uncounted
  where date_time <= now() order by date_time limit ${COUNTED_AT_ONCE} for update skip locked
), taken as (
  delete from interaction_uncounted q using due
  where q.workspace_id = due.workspace_id and q.entity_id = due.entity_id and q.interaction_id = due.interaction_id
  returning q.*
), each_user as (
  select t.workspace_id, t.entity_id, u.user_id, t.date_time, t.interaction_id, t.user_ids
  from taken t cross join lateral unnest($1::uuid || t.user_ids) u (user_id)
), latest as (
  select distinct on (workspace_id, entity_id, user_id) workspace_id, entity_id, user_id,
    count(*) over (partition by workspace_id, entity_id, user_id) as count, date_time, interaction_id, user_ids
  from each_user order by workspace_id, entity_id, user_id, date_time desc, interaction_id desc
), counted as (
  insert into interaction_counts as c (workspace_id, entity_id, user_id, count, last_at, last_id, last_by)
  select workspace_id, entity_id, user_id, count, date_time, interaction_id, case when user_id = $1 then user_ids end
  from latest order by workspace_id, entity_id, user_id
  on conflict (workspace_id, entity_id, user_id) do update set
    count = c.count + excluded.count,
    last_at = greatest(c.last_at, excluded.last_at),
    last_id = case when (excluded.last_at, excluded.last_id) > (c.last_at, c.last_id) then excluded.last_id else c.last_id end,
    last_by = case when (excluded.last_at, excluded.last_id) > (c.last_at, c.last_id) then excluded.last_by else c.last_by end
)
select count(*)::int as count from taken`;

/** An interaction with an entity, as it was before it is changed or deleted. */
export interface Told {
  entityId: Uuid;
  userIds: Uuid[];
}

/**
 * Takes an interaction out of the counts of its entities, whether it is counted already or not. Its rows in `interaction_entities`
 * have been deleted or changed before, in the same transaction.
 */
export async function uncount(query: Query, workspaceId: Uuid, interaction: Uuid, told: Told[]): Promise<void> {
  const entities = told.map(({ entityId }) => entityId);
  const waiting = await query<{ entityId: Uuid }>(
    `delete from interaction_uncounted where workspace_id = $1 and interaction_id = $2 and entity_id = any($3::uuid[])
     returning entity_id as "entityId"`,
    [workspaceId, interaction, printUuids(entities)],
  );
  const isWaiting = new Set(waiting.map(({ entityId }) => entityId));
  const counted = told.filter(({ entityId }) => !isWaiting.has(entityId));
  if (counted.length === 0) return;
  await lockCounts(
    query,
    workspaceId,
    counted.map(({ entityId }) => entityId),
  );
  for (const { entityId, userIds } of counted)
    await query(UNCOUNT, [workspaceId, entityId, printUuids([ANYBODY, ...userIds]), ANYBODY]);
}

/** The last one is looked for anew, by the index of the entity's interactions in order of time. */
const UNCOUNT = `
with changed as (
  update interaction_counts c set count = c.count - 1, (last_at, last_id, last_by) = (
    select e.date_time, e.interaction_id, case when c.user_id = $4 then e.user_ids end from interaction_entities e
    where e.workspace_id = c.workspace_id and e.entity_id = c.entity_id and e.date_time <= now()
      and (c.user_id = $4 or c.user_id = any(e.user_ids))
    order by e.date_time desc, e.interaction_id desc limit 1)
  where c.workspace_id = $1 and c.entity_id = $2 and c.user_id = any($3::uuid[]) and c.count > 1
  returning 1
)
delete from interaction_counts where workspace_id = $1 and entity_id = $2 and user_id = any($3::uuid[]) and count <= 1`;

/**
 * Makes the counts of entities anew from their interactions. They are locked against new interactions, so what is counted is all
 * that there is.
 */
export async function recount(query: Query, workspaceId: Uuid, entities: Uuid[]): Promise<void> {
  const values = [workspaceId, printUuids(entities)];
  await query("delete from interaction_uncounted where workspace_id = $1 and entity_id = any($2::uuid[])", values);
  await lockCounts(query, workspaceId, entities);
  await query("delete from interaction_counts where workspace_id = $1 and entity_id = any($2::uuid[])", values);
  await query(
    `insert into interaction_uncounted (workspace_id, entity_id, interaction_id, date_time, user_ids)
     select workspace_id, entity_id, interaction_id, date_time, user_ids from interaction_entities
     where workspace_id = $1 and entity_id = any($2::uuid[]) and entity_kind = 'person' and date_time > now()`,
    values,
  );
  await query(RECOUNT, [...values, ANYBODY]);
}

/** What the counts of entities are when all is counted: rows of `interaction_counts`. $1 is the workspace, $2 the entities. */
export const RECOUNTED = `
select distinct on (e.entity_id, u.user_id) e.workspace_id, e.entity_id, u.user_id,
  (count(*) over (partition by e.entity_id, u.user_id))::int as count, e.date_time as last_at, e.interaction_id as last_id,
  case when u.user_id = $3 then e.user_ids end as last_by
from interaction_entities e cross join lateral unnest($3::uuid || e.user_ids) u (user_id)
where e.workspace_id = $1 and e.entity_id = any($2::uuid[]) and e.entity_kind = 'person' and e.date_time <= now()
order by e.entity_id, u.user_id, e.date_time desc, e.interaction_id desc`;

const RECOUNT = `
insert into interaction_counts (workspace_id, entity_id, user_id, count, last_at, last_id, last_by) ${RECOUNTED}`;

/** Until the transaction ends nobody else changes the counts of these entities. */
async function lockCounts(query: Query, workspaceId: Uuid, entities: Uuid[]): Promise<void> {
  await query(
    `select entity_id from interaction_counts where workspace_id = $1 and entity_id = any($2::uuid[]) and user_id = $3
     order by entity_id for update`,
    [workspaceId, printUuids(entities), ANYBODY],
  );
}

/**
 * Makes the interactions with merged records be with the survivor; one that was with several of them is with the survivor once.
 * The records are locked by the transaction, which is the caller's, and so nobody logs an interaction with them meanwhile.
 * Gives the activity of the survivor, as it is read with a record.
 */
export async function moveInteractions(
  query: Query,
  workspaceId: Uuid,
  survivor: Uuid,
  merged: Uuid[],
): Promise<string | null> {
  const moved = await query(MOVE, [workspaceId, survivor, printUuids(merged)]);
  if (moved.length > 0) await recount(query, workspaceId, [survivor, ...merged]);
  const [[activity = null] = []] = await query<TextRow>(
    `select ${ACTIVITY_READ} from (select $1::uuid as workspace_id, $2::uuid as id) r`,
    [workspaceId, survivor],
    "texts",
  );
  return activity;
}

const MOVE = `
with gone as (
  delete from interaction_entities where workspace_id = $1 and entity_id = any($3::uuid[]) returning *
)
insert into interaction_entities (workspace_id, interaction_id, entity_id, entity_kind, position, date_time, interaction_type, user_ids)
select distinct on (interaction_id) workspace_id, interaction_id, $2, entity_kind, position, date_time, interaction_type, user_ids
from gone order by interaction_id, position
on conflict (workspace_id, interaction_id, entity_id) do update
  set position = least(interaction_entities.position, excluded.position)
returning 1`;
