import type { Caller } from "../../base/contract/caller.ts";
import { kindOf, RECORD_KINDS, type RecordKind, type Uuid, uuidOf } from "../../base/values/ids.ts";
import type { Binder } from "../../database/binder.ts";
import type { Query } from "../../database/query.ts";
import type { Definitions } from "../definitions/definitions.ts";
import { visibleGroups } from "../definitions/roles.ts";
import { resolveAliases } from "./aliases.ts";
import { RECORD_TYPES } from "./record-types.ts";

// The entity of a note, a task or an interaction is the record that it is about. Its row has the kind and the uuid of
// the record, in the columns `entity_kind` and `entity_id`. docs/guides/notes.md#entities

/** A record that something is about. */
export interface Entity {
  kind: RecordKind;
  uuid: Uuid;
  fullName: string;
}

/** SQL for the columns of the entity of the row `t`, by the names in the row. */
export const ENTITY_READS: Record<string, string> = {
  entityKind: "t.entity_kind",
  entityId: "t.entity_id",
  entityName: `case ${RECORD_KINDS.map((kind) => `when t.entity_kind = '${kind}' then ${nameOf(kind)}`).join(" ")} end`,
};

function nameOf(kind: RecordKind): string {
  const { table, label } = RECORD_TYPES[kind];
  return `(select e.${label} from ${table} e where e.workspace_id = $1 and e.id = t.entity_id)`;
}

/**
 * SQL that is true where the caller sees the entity of the row `t`. People and companies are seen by everybody in the
 * workspace, objects by those who see their group.
 */
export function seesEntity(definitions: Definitions, caller: Caller, bind: Binder): string {
  const visible = visibleGroups(definitions, caller);
  if (visible.length === definitions.groups.size) return "true";
  const types = visible.flatMap(({ objectTypes }) => objectTypes.map(({ uuid }) => uuid));
  return `(t.entity_kind <> 'object' or exists (select from objects o where o.workspace_id = $1 and o.id = t.entity_id and o.object_type_id = any(${bind(types, "uuid[]")})))`;
}

/**
 * The uuid of the record with an id, of the surviving record for a merged one; null for an id of another kind. It does
 * not check that the record exists, or that the caller can see it.
 */
export async function entityUuid(query: Query, workspaceId: Uuid, id: string): Promise<Uuid | null> {
  const kind = RECORD_KINDS.find((one) => one === kindOf(id));
  const uuid = kind ? uuidOf(kind, id) : null;
  if (!kind || uuid === null) return null;
  return (await resolveAliases(query, workspaceId, kind, [uuid])).get(uuid) ?? uuid;
}
