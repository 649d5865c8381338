import { custom, type Issue, type Path } from "../../base/contract/issues.ts";
import { madeAt, newUuid, type Uuid } from "../../base/values/ids.ts";
import { comparable } from "../../base/values/text.ts";
import type { Write } from "../../database/query.ts";
import type { FieldDefinition, Option } from "../../model/custom-fields/definition.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import type { Definitions, EntityKey, Group } from "../../model/definitions/definitions.ts";
import type { NewField } from "./custom-fields.schema.ts";

/** The colours of options that were given none, one after the other. docs/guides/custom-fields.md#options */
export const PALETTE = ["#5738ff", "#20cea9", "#f54e50", "#f2b934", "#879aab", "#de4a96", "#4a90e2", "#f5a623"];

/** Words that paths use in the place of an object type. docs/guides/custom-fields.md#object-types */
const RESERVED_TYPE_NAMES = ["members", "custom-fields", "object-types", "person", "company"];

/** Whether no object type may have this name, in whatever letter case. */
export function isReservedTypeName(name: string): boolean {
  return RESERVED_TYPE_NAMES.includes(comparable(name).toLowerCase());
}

/** The issue of an object type with such a name. */
export function reservedTypeName(at: Path, name: string): Issue {
  return custom(at, `No object type can be named "${name}", because paths use this word. Choose another name`);
}

/** An option that is to be stored. Options are stored in the order of their list. */
export type NewOption = { label: string; color?: string };

/**
 * Inserts a definition with its options, and gives its uuid. The caller has trimmed the name and seen that no field has
 * it.
 */
export async function insertField(
  write: Write,
  { workspaceId }: Definitions,
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

/**
 * Adds options behind those that are there.
 * @param count how many options the field had before the request: the palette goes on from there
 */
export async function insertOptions(
  write: Write,
  workspaceId: Uuid,
  fieldUuid: Uuid,
  options: NewOption[],
  count: number,
): Promise<void> {
  if (options.length === 0) return;
  // Positions begin behind the last one and not at the count, because removed options leave their positions free.
  const [last] = await write<{ position: number | null }>(
    "select max(position) as position from custom_field_options where workspace_id = $1 and field_id = $2",
    [workspaceId, fieldUuid],
  );
  const rows = options.map(({ label, color }, i) => ({
    workspace_id: workspaceId,
    id: newUuid(),
    field_id: fieldUuid,
    label: label.trim(),
    color: color ?? PALETTE[(count + i) % PALETTE.length],
    position: (last?.position ?? -1) + 1 + i,
  }));
  await write(
    `insert into custom_field_options (workspace_id, id, field_id, label, color, position)
     select workspace_id, id, field_id, label, color, position from json_populate_recordset(null::custom_field_options, $1::json)`,
    [JSON.stringify(rows)],
  );
}

/** The uuid of the object type of this name in the group. The type is made when there is none. */
export async function ensureObjectType(
  write: Write,
  { workspaceId }: Definitions,
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
 * Deletes options. Values of records keep their ids: whatever reads values passes over the ids of options that are not
 * there, so a deletion costs the same however many records have the option. docs/decisions/0002-catalog.md
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
 * Deletes definitions. Records keep their values: whatever reads values passes over those of fields that are not there,
 * so a deletion costs the same however many records have a value. docs/decisions/0002-catalog.md
 */
export async function deleteFields(write: Write, workspaceId: Uuid, uuids: Uuid[]): Promise<void> {
  if (uuids.length > 0)
    await write("delete from custom_fields where workspace_id = $1 and id = any($2::uuid[])", [workspaceId, uuids]);
}
