import type { Catalog, EntityKey, Group } from "../../../lib/catalog/catalog.ts";
import type { FieldDefinition, Option } from "../../../lib/custom-fields/definition.ts";
import { customFieldTypes } from "../../../lib/custom-fields/index.ts";
import type { Write } from "../../../lib/database/query.ts";
import { madeAt, newUuid, type Uuid } from "../../../lib/values/ids.ts";
import { comparable } from "../../../lib/values/text.ts";
import type { NewField } from "./custom-fields.schema.ts";

/** Colours that options get in turn when none is given. gaps 4, "Custom field". */
export const PALETTE = ["#5738ff", "#20cea9", "#f54e50", "#f2b934", "#879aab", "#de4a96", "#4a90e2", "#f5a623"];

/** Names that paths use beside object types, in any letter case. gaps 1. */
const RESERVED_TYPE_NAMES = ["members", "custom-fields", "object-types", "person", "company"];

/** Whether no object type may have this name. */
export function isReservedTypeName(name: string): boolean {
  return RESERVED_TYPE_NAMES.includes(comparable(name).toLowerCase());
}

/** An option that is to be stored; its place in the list is its position. */
export type NewOption = { label: string; color?: string };

/** Makes a definition. The names are trimmed and free; the object type of an objectField is registered beforehand. */
export async function insertField(
  write: Write,
  { workspaceId }: Catalog,
  group: Group,
  entity: EntityKey,
  field: NewField,
): Promise<Uuid> {
  const uuid = newUuid();
  const isType = entity !== "person" && entity !== "company";
  const config = field.config ?? customFieldTypes[field.type].config?.unset;
  await write(
    `insert into custom_fields (workspace_id, id, group_id, entity_kind, object_type_id, name, name_key, type, config, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      workspaceId,
      uuid,
      group.uuid,
      isType ? "object" : entity,
      isType ? entity : null,
      field.name,
      comparable(field.name),
      field.type,
      config ? JSON.stringify(config) : null,
      madeAt(uuid),
    ],
  );
  await insertOptions(write, workspaceId, uuid, field.options ?? [], 0);
  return uuid;
}

/** Adds options behind those that are there. `count` says how many there were: the palette goes on from it. */
export async function insertOptions(
  write: Write,
  workspaceId: Uuid,
  fieldUuid: Uuid,
  options: NewOption[],
  count: number,
): Promise<void> {
  if (options.length === 0) return;
  const rows = options.map(({ label, color }, i) => ({
    workspace_id: workspaceId,
    id: newUuid(),
    field_id: fieldUuid,
    label: label.trim(),
    color: color ?? PALETTE[(count + i) % PALETTE.length],
    position: i,
  }));
  // Behind the last position, not behind the count: removed options leave gaps.
  await write(
    `insert into custom_field_options (workspace_id, id, field_id, label, color, position)
     select workspace_id, id, field_id, label, color, position +
       (select coalesce(max(position) + 1, 0) from custom_field_options where workspace_id = $2 and field_id = $3)
     from json_populate_recordset(null::custom_field_options, $1::json)`,
    [JSON.stringify(rows), workspaceId, fieldUuid],
  );
}

/** The object type of this name in the group, made when there is none. Gives its uuid. */
export async function ensureObjectType(
  write: Write,
  { workspaceId }: Catalog,
  group: Group,
  name: string,
): Promise<Uuid> {
  const known = group.objectTypes.find((type) => comparable(type.name) === comparable(name));
  if (known) return known.uuid;
  const uuid = newUuid();
  await write(
    "insert into object_types (workspace_id, id, group_id, name, name_key, created_at) values ($1, $2, $3, $4, $5, $6)",
    [workspaceId, uuid, group.uuid, name, comparable(name), madeAt(uuid)],
  );
  return uuid;
}

/** Sets name and config of a definition. */
export async function updateField(
  write: Write,
  workspaceId: Uuid,
  field: Pick<FieldDefinition, "uuid" | "name" | "config">,
): Promise<void> {
  await write("update custom_fields set name = $3, name_key = $4, config = $5 where workspace_id = $1 and id = $2", [
    workspaceId,
    field.uuid,
    field.name,
    comparable(field.name),
    field.config && JSON.stringify(field.config),
  ]);
}

/**
 * Removes options. Stored values may keep their ids: what reads values knows only the options that there are, so a removal
 * costs the same however many records have it.
 */
export async function removeOptions(write: Write, workspaceId: Uuid, uuids: Uuid[]): Promise<void> {
  if (uuids.length > 0)
    await write("delete from custom_field_options where workspace_id = $1 and id = any($2::uuid[])", [
      workspaceId,
      uuids,
    ]);
}

/** Sets label and colour of options. */
export async function updateOptions(write: Write, workspaceId: Uuid, options: Option[]): Promise<void> {
  if (options.length === 0) return;
  const rows = options.map(({ uuid, label, color }) => ({ id: uuid, label, color }));
  await write(
    `update custom_field_options o set label = n.label, color = n.color from json_populate_recordset(null::custom_field_options, $2::json) n
     where o.workspace_id = $1 and o.id = n.id`,
    [workspaceId, JSON.stringify(rows)],
  );
}

/**
 * Deletes definitions. Stored values may keep their ids: what reads values knows only the fields that there are, so a
 * removal costs the same however many records have it.
 */
export async function deleteFields(write: Write, workspaceId: Uuid, uuids: Uuid[]): Promise<void> {
  if (uuids.length > 0)
    await write("delete from custom_fields where workspace_id = $1 and id = any($2::uuid[])", [workspaceId, uuids]);
}
