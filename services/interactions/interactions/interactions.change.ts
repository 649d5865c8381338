import { ApiError, notFound, unprocessable } from "../../../base/contract/errors.ts";
import { custom } from "../../../base/contract/issues.ts";
import { toId, uuidOf } from "../../../base/values/ids.ts";
import { instantOf } from "../../../base/values/times.ts";
import { lockPeople } from "../../../engine/interactions/counting.ts";
import type { Writing } from "../../../engine/records/draft.ts";
import { lockEntity } from "../../../engine/records/lock-entity.ts";
import { entityUuid } from "../../../model/resources/entity.ts";
import { presentInteraction } from "./interactions.present.ts";
import type { InteractionRow } from "./interactions.queries.ts";
import { lookUp } from "./interactions.read.ts";
import type { Logged } from "./interactions.schema.ts";
import { deleteLogged, insertLogged, type LoggedInteraction, updateLogged } from "./interactions.write.ts";

/**
 * Logs an interaction of the caller, and gives it as JSON text. docs/guides/interactions.md#logging
 * @throws ApiError 422 for a record that is not there
 */
export async function createInteraction(writing: Writing, sent: Logged): Promise<string> {
  const { id } = sent.entity;
  const entity = await lockEntity(writing, id, ["person", "company"]);
  if (!entity) throw unprocessable([custom(["entity", "id"], `There is no person or company with the id ${id}`)]);
  const { query, caller } = writing;
  const { title, content } = sent;
  const activityType = sent.activityType ?? sent.type ?? "";
  const logged = { title, content, activityType, dateTime: timeOf(sent.dateTime) };
  const uuid = await insertLogged(query, caller, entity, logged);
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
export async function updateInteraction(writing: Writing, id: string, sent: Logged): Promise<string> {
  const row = await lockLogged(writing, id, sent.entity.id);
  const changed = loggedOf(sent);
  await updateLogged(writing, row, changed);
  return present(writing, { ...row, ...changed });
}

/**
 * Deletes a logged interaction, and gives its id as JSON text.
 * @throws ApiError 404 when it is not with this record, 403 for an imported one
 */
export async function removeInteraction(writing: Writing, id: string, entityId: string): Promise<string> {
  const row = await lockLogged(writing, id, entityId);
  await deleteLogged(writing, row);
  return JSON.stringify({ id: toId("interaction", row.uuid) });
}

async function lockLogged({ query, caller }: Writing, id: string, entityId: string): Promise<InteractionRow> {
  const person = uuidOf("person", entityId) && (await entityUuid(query, caller.workspaceId, entityId));
  if (person) await lockPeople(query, caller.workspaceId, [person]);
  const row = await lookUp(query, caller, id, entityId, { lock: true });
  if (!row) throw notFound("interaction", id);
  if (row.interactionType !== "logged")
    throw new ApiError("FORBIDDEN", "An imported interaction is changed where it came from, and imported again.");
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

function present({ caller, catalog }: Writing, row: InteractionRow): string {
  return JSON.stringify(presentInteraction(row, { caller, catalog, personName: () => undefined }));
}
