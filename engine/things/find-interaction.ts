import type { Caller } from "../../base/contract/caller.ts";
import { type RecordKind, type Uuid, uuidOf } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { ENTITY_READS, entityUuid } from "../../model/resources/entity.ts";

/** A participant of an imported interaction, as imported, with the user or the person that the address belongs to. */
export interface StoredParticipant {
  type: "email" | "phone";
  value: string;
  name?: string;
  userId?: Uuid;
  personId?: Uuid;
}

/** An interaction with the record with which it is shown. */
export interface InteractionRow {
  uuid: Uuid;
  /** Null for a logged one. */
  sourceId: string | null;
  interactionType: string;
  dateTime: Date;
  privacyLevel: "full" | "subjectOnly" | "sensitive" | "internal";
  activityType: string | null;
  title: string | null;
  content: string;
  /** Read with a single one only. */
  more?: Record<string, unknown> | null;
  participants: { from: StoredParticipant; to: StoredParticipant[] } | null;
  userIds: Uuid[];
  entityKind: RecordKind;
  entityId: Uuid;
  entityName: string;
}

/** Columns of an `InteractionRow` of the row `i`. */
export const INTERACTION_COLUMNS = `i.id as uuid, i.source_id as "sourceId", i.interaction_type as "interactionType", i.date_time as "dateTime",
  i.privacy_level as "privacyLevel", i.activity_type as "activityType", i.title, i.content, i.participants, i.user_ids as "userIds"`;

/** Columns of its record, of the row `t` of interaction_entities. */
export const INTERACTION_ENTITY = Object.entries(ENTITY_READS)
  .map(([name, sql]) => `${sql} as "${name}"`)
  .join(", ");

/**
 * The interaction that an id names, when it is with this record. Two statements more when the id of the record may be
 * that of a merged one.
 */
export async function lookUp(
  query: Query,
  { workspaceId }: Caller,
  id: string,
  entityId: string,
  options: { lock?: boolean } = {},
): Promise<InteractionRow | undefined> {
  const uuid = uuidOf("person", entityId) ?? uuidOf("company", entityId);
  const row = uuid && (await findInteraction(query, workspaceId, keyOf(id), uuid, options));
  if (row || !uuid) return row ?? undefined;
  const survivor = await entityUuid(query, workspaceId, entityId);
  return survivor && survivor !== uuid ? findInteraction(query, workspaceId, keyOf(id), survivor, options) : undefined;
}

function keyOf(id: string): Named {
  const uuid = uuidOf("interaction", id);
  return uuid === null ? { sourceId: id } : { uuid };
}

/** Key that an id means: the uuid of a logged interaction, or the source id of an imported one. */
type Named = { uuid: Uuid } | { sourceId: string };

/**
 * An interaction that is with this record, with all that a single read shows; undefined where there is none. With
 * `lock` it is kept from other changes until the transaction ends.
 */
async function findInteraction(
  query: Query,
  workspaceId: Uuid,
  named: Named,
  entity: Uuid,
  { lock = false }: { lock?: boolean } = {},
): Promise<InteractionRow | undefined> {
  const [column, value] = "uuid" in named ? ["id", named.uuid] : ["source_id", named.sourceId];
  const [row] = await query<InteractionRow>(
    `select ${INTERACTION_COLUMNS}, i.more, ${INTERACTION_ENTITY} from interactions i
     join interaction_entities t on t.workspace_id = i.workspace_id and t.interaction_id = i.id
     where i.workspace_id = $1 and i.${column} = $2 and t.entity_id = $3${lock ? " for no key update of i" : ""}`,
    [workspaceId, value, entity],
  );
  return row;
}
