import { madeAt, newUuid, type RecordKind, type Uuid } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";
import { type Counting, countAnew, uncount } from "../../../engine/interactions/counting.ts";
import type { InteractionRow } from "./interactions.queries.ts";

/** Parts of an interaction that a user logs with a record. */
export interface LoggedInteraction {
  dateTime: Date;
  activityType: string;
  title: string;
  content: string;
}

/**
 * Logs an interaction with a record that is locked against deletion. One statement. Nothing is counted here: it waits in
 * `interaction_uncounted`, so that a thousand interactions with one person do not wait for one row. docs/decisions/0012-interactions.md
 */
export async function insertLogged(
  query: Query,
  { workspaceId, userId }: { workspaceId: Uuid; userId: Uuid },
  entity: { kind: RecordKind; uuid: Uuid },
  { dateTime, activityType, title, content }: LoggedInteraction,
): Promise<Uuid> {
  const uuid = newUuid();
  await query(entity.kind === "person" ? INSERT_COUNTED : INSERT, [
    ...[workspaceId, uuid, madeAt(uuid), userId, dateTime, activityType, title, content, entity.uuid, entity.kind],
  ]);
  return uuid;
}

const INSERT = `
with made as (
  insert into interactions (workspace_id, id, created_at, created_by, interaction_type, date_time, privacy_level, activity_type, title, content, user_ids)
  values ($1, $2, $3, $4, 'logged', $5, 'full', $6, $7, $8, array[$4::uuid])
)
insert into interaction_entities (workspace_id, interaction_id, entity_id, entity_kind, position, date_time, interaction_type, user_ids)
values ($1, $2, $9, $10, 0, $5, 'logged', array[$4::uuid])`;

const INSERT_COUNTED = INSERT.replace(
  "\n)\ninsert",
  `
), waiting as (
  insert into interaction_uncounted (workspace_id, entity_id, interaction_id, date_time, user_ids)
  values ($1, $9, $2, $5, array[$4::uuid])
)
insert`,
);

/** Changes a logged interaction that is locked, and the counts of its person when its time changes. */
export async function updateLogged(
  counting: Counting,
  row: InteractionRow,
  changed: Partial<LoggedInteraction>,
): Promise<void> {
  const { query, caller } = counting;
  const { workspaceId } = caller;
  const {
    title = row.title,
    content = row.content,
    activityType = row.activityType,
    dateTime = row.dateTime,
  } = changed;
  await query(
    `update interactions set title = $3, content = $4, activity_type = $5, date_time = $6 where workspace_id = $1 and id = $2`,
    [workspaceId, row.uuid, title, content, activityType, dateTime],
  );
  if (dateTime.getTime() === row.dateTime.getTime()) return;
  await query("update interaction_entities set date_time = $3 where workspace_id = $1 and interaction_id = $2", [
    workspaceId,
    row.uuid,
    dateTime,
  ]);
  if (row.entityKind !== "person") return;
  await countAnew(counting, { interaction: row.uuid, personId: row.entityId, userIds: row.userIds, dateTime });
}

/** Deletes a logged interaction that is locked, and takes it out of the counts of its person. */
export async function deleteLogged(counting: Counting, row: InteractionRow): Promise<void> {
  const { query, caller } = counting;
  const { workspaceId } = caller;
  await query("delete from interaction_entities where workspace_id = $1 and interaction_id = $2", [
    workspaceId,
    row.uuid,
  ]);
  if (row.entityKind === "person")
    await uncount(counting, row.uuid, [{ personId: row.entityId, userIds: row.userIds }]);
  await query("delete from interactions where workspace_id = $1 and id = $2", [workspaceId, row.uuid]);
}
