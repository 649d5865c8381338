import { ApiError, notFound, unprocessable } from "../../base/contract/errors.ts";
import { custom } from "../../base/contract/issues.ts";
import { madeAt, newUuid, type RecordKind, toId, type Uuid, uuidOf } from "../../base/values/ids.ts";
import { instantOf } from "../../base/values/times.ts";
import type { Query } from "../../database/query.ts";
import { entityUuid } from "../../model/resources/entity.ts";
import { lockPeople } from "../interactions/counting.ts";
import type { WriteContext } from "../records/draft.ts";
import { lockEntity } from "../records/lock-entity.ts";
import type { InteractionRow } from "./find-interaction.ts";
import { lookUp } from "./find-interaction.ts";
import type { Logged } from "./interaction-schema.ts";
import { deleteInteraction, type LoggedInteraction, updateLogged } from "./logged-interactions.ts";
import { presentInteraction } from "./present-interaction.ts";

/**
 * Logs an interaction with a record that is locked against deletion. One statement. Nothing is counted here: it waits
 * in `interaction_uncounted`, so that a thousand interactions with one person do not wait for one row.
 * docs/decisions/0012-interactions.md
 */
async function insertLogged(
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

/**
 * Logs an interaction of the caller, and gives it as JSON text. docs/guides/interactions.md#logging
 * @throws ApiError 422 for a record that is not there
 */
export async function createInteraction(writing: WriteContext, sent: Logged): Promise<string> {
  const { id } = sent.entity;
  const entity = await lockEntity(writing, id, ["person", "company"]);
  if (!entity) throw unprocessable([custom(["entity", "id"], `There is no person or company with the id ${id}`)]);
  const { query, caller } = writing;
  const { title, content } = sent;
  const activityType = sent.activityType ?? sent.type ?? "";
  const logged = { title, content, activityType, dateTime: timeOf(sent.dateTime) };
  const uuid = await insertLogged(query, caller, entity, logged);
  writing.log.push({ type: "interaction.created", recordId: uuid, body: {} });
  return present(writing, {
    ...logged,
    uuid,
    sourceId: null,
    interactionType: "logged",
    privacyLevel: "full",
    participants: null,
    userIds: [caller.userId],
    entityKind: entity.kind,
    entityId: entity.uuid,
    entityName: entity.fullName,
  });
}

/**
 * Changes a logged interaction, and gives it as JSON text. docs/guides/interactions.md#changing
 * @throws ApiError 404 when it is not with the record that was sent, 403 for an imported one
 */
export async function updateInteraction(writing: WriteContext, id: string, sent: Logged): Promise<string> {
  const row = await lockLogged(writing, id, sent.entity.id);
  const updated = loggedOf(sent);
  await updateLogged(writing, row, updated);
  return present(writing, { ...row, ...updated });
}

/**
 * Deletes a logged interaction, and gives its id as JSON text.
 * @throws ApiError 404 when it is not with this record, 403 for an imported one
 */
export async function removeInteraction(writing: WriteContext, id: string, entityId: string): Promise<string> {
  const row = await lockLogged(writing, id, entityId);
  await deleteInteraction(writing, row.uuid);
  return JSON.stringify({ id: toId("interaction", row.uuid) });
}

async function lockLogged({ query, caller }: WriteContext, id: string, entityId: string): Promise<InteractionRow> {
  const person = uuidOf("person", entityId) && (await entityUuid(query, caller.workspaceId, entityId));
  if (person) await lockPeople(query, caller.workspaceId, [person]);
  const row = await lookUp(query, caller, id, entityId, { lock: true });
  if (!row) throw notFound("interaction", id);
  if (row.interactionType !== "logged")
    throw new ApiError(
      "FORBIDDEN",
      "An imported interaction cannot be changed here. Change it at its source, and import it again.",
    );
  return row;
}

/** The parts of an update that were sent, the time as an instant. */
function loggedOf({ title, content, activityType, dateTime }: Partial<Logged>): Partial<LoggedInteraction> {
  return {
    ...(title !== undefined && { title }),
    ...(content !== undefined && { content }),
    ...(activityType !== undefined && { activityType }),
    ...(dateTime !== undefined && { dateTime: timeOf(dateTime) }),
  };
}

/** The instant of a timestamp, which the schema has judged. */
function timeOf(timestamp: string): Date {
  return new Date(instantOf(timestamp) ?? 0);
}

function present({ caller, definitions }: WriteContext, row: InteractionRow): string {
  return JSON.stringify(presentInteraction(row, { caller, definitions, personName: () => undefined }));
}
