import type { RecordKind, Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { type Changed, moreText } from "../../model/log.ts";
import { changed } from "../events/diff.ts";
import { keepWhole } from "../events/kept-rows.ts";
import { type Counting, countAnew, lockPeople, uncount } from "../interactions/counting.ts";

/** The parts of an interaction that a user logs with a record. */
export interface LoggedInteraction {
  dateTime: Date;
  activityType: string;
  title: string;
  content: string;
}

/** A logged interaction that is locked, with its record. */
export interface LoggedRow extends Omit<LoggedInteraction, "activityType" | "title"> {
  uuid: Uuid;
  activityType: string | null;
  title: string | null;
  userIds: Uuid[];
  entityKind: RecordKind;
  entityId: Uuid;
}

/** Changes a logged interaction that is locked, and the counts of its person when its time changes. Adds the entry. */
export async function updateLogged(
  counting: Counting,
  row: LoggedRow,
  updated: Partial<LoggedInteraction>,
): Promise<void> {
  const { query, caller, log } = counting;
  const { workspaceId } = caller;
  const {
    title = row.title,
    content = row.content,
    activityType = row.activityType,
    dateTime = row.dateTime,
  } = updated;
  await query(
    `update interactions set title = $3, content = $4, activity_type = $5, date_time = $6 where workspace_id = $1 and id = $2`,
    [workspaceId, row.uuid, title, content, activityType, dateTime],
  );
  const changes = changesOf(row, updated);
  if (changes.length > 0)
    log.push({ type: "interaction.updated", recordId: row.uuid, body: {}, more: moreText({ changes }) });
  if (dateTime.getTime() === row.dateTime.getTime()) return;
  await query("update interaction_entities set date_time = $3 where workspace_id = $1 and interaction_id = $2", [
    workspaceId,
    row.uuid,
    dateTime,
  ]);
  if (row.entityKind !== "person") return;
  await countAnew(counting, { interaction: row.uuid, personId: row.entityId, userIds: row.userIds, dateTime });
}

/** The parts that an update changes, as an undo reads them. */
function changesOf(row: LoggedRow, updated: Partial<LoggedInteraction>): Changed[] {
  return Object.entries(updated).flatMap(([name, value]) =>
    changed([name], toldPart(row[name as keyof LoggedInteraction]), toldPart(value)),
  );
}

/** A part of an interaction as the log tells it. */
export function toldPart(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : (value ?? null);
}

/** Deletes an interaction that is locked, and takes it out of the counts of its people. Adds the entry. */
export async function deleteInteraction(counting: Counting, uuid: Uuid): Promise<void> {
  const { query, caller, log } = counting;
  const { workspaceId } = caller;
  const rowText = await keepWhole(query, workspaceId, [uuid]);
  log.push({ type: "interaction.deleted", recordId: uuid, body: {}, more: moreText({ gone: { rowText } }) });
  const places = await query<{ kind: RecordKind; id: Uuid; userIds: Uuid[] }>(
    `delete from interaction_entities where workspace_id = $1 and interaction_id = $2
     returning entity_kind as kind, entity_id as id, user_ids as "userIds"`,
    [workspaceId, uuid],
  );
  const people = places.filter(({ kind }) => kind === "person");
  if (people.length > 0)
    await uncount(
      counting,
      uuid,
      people.map(({ id, userIds }) => ({ personId: id, userIds })),
    );
  await query("delete from interactions where workspace_id = $1 and id = $2", [workspaceId, uuid]);
}

/**
 * Locks an interaction of any type until the transaction ends, its people before it. False when it is not there. Three
 * statements.
 */
export async function lockInteraction(query: Query, workspaceId: Uuid, uuid: Uuid): Promise<boolean> {
  const places = await query<{ id: Uuid }>(
    "select entity_id as id from interaction_entities where workspace_id = $1 and interaction_id = $2",
    [workspaceId, uuid],
  );
  await lockPeople(
    query,
    workspaceId,
    places.map(({ id }) => id),
  );
  const found = await query("select from interactions where workspace_id = $1 and id = $2 for no key update", [
    workspaceId,
    uuid,
  ]);
  return found.length > 0;
}

/** A logged interaction, locked until the transaction ends; undefined where there is none. */
export async function lockLoggedRow(query: Query, workspaceId: Uuid, uuid: Uuid): Promise<LoggedRow | undefined> {
  const [row] = await query<LoggedRow>(
    `select i.id as uuid, i.title, i.content, i.activity_type as "activityType", i.date_time as "dateTime", i.user_ids as "userIds",
       t.entity_kind as "entityKind", t.entity_id as "entityId"
     from interactions i join interaction_entities t on t.workspace_id = i.workspace_id and t.interaction_id = i.id
     where i.workspace_id = $1 and i.id = $2 and i.interaction_type = 'logged' order by t.position limit 1 for no key update of i`,
    [workspaceId, uuid],
  );
  return row;
}
