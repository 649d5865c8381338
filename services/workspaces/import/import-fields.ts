import type { Caller } from "../../../base/contract/caller.ts";
import { ApiError } from "../../../base/contract/errors.ts";
import { closed, idSchema, type Static, Type } from "../../../base/contract/schema.ts";
import { changeField, createField } from "../../../engine/definitions/custom-fields.change.ts";
import { createBody, label, type NewField } from "../../../engine/definitions/custom-fields.schema.ts";
import { groupOf } from "../../../engine/definitions/groups.access.ts";
import type { Change } from "../../../engine/store/store.ts";
import type { FieldData } from "../../../model/custom-fields/definition.ts";
import { needRoom } from "../../../model/definitions/bounds.ts";
import { findField } from "../../../model/definitions/catalog.ts";
import { needRole } from "../../../model/definitions/roles.ts";
import { placed } from "../workspace-file/workspace-file.fields.ts";
import { importEntity, importedKind } from "./import-entity.ts";

/** Definitions of an import: fields that the group lacks, and options that fields of it lack. */
export const importFieldsParams = closed({
  groupId: idSchema("group"),
  ...importedKind,
  dryRun: Type.Boolean(),
  fields: Type.Array(Type.Unsafe<NewField>(createBody)),
  options: Type.Array(closed({ field: Type.String(), labels: Type.Array(label) })),
});

/**
 * Makes fields and options of an import, all of them, or none when it throws the 422 with the place of what speaks against it
 * in `fields` or `options`. Gives all fields of the kind in the group as they are then.
 */
export async function importFields(
  change: Change,
  caller: Caller,
  { groupId, fields, options, ...kind }: Static<typeof importFieldsParams>,
): Promise<FieldData[]> {
  const group = groupOf(change.catalog, caller, groupId);
  needRole(group, caller, "admin");
  const { entity } = importEntity(group, kind);
  for (const [i, field] of fields.entries())
    await placed(["fields", i], () => createField(change, group, entity, field));
  for (const [i, { field, labels }] of options.entries()) {
    const known = findField(group, entity, field);
    if (!known) throw new ApiError("RESOURCE_NOT_FOUND", `There is no custom field "${field}" any more.`);
    const addOptions = labels.map((added) => ({ label: added }));
    await placed(["options", i], () => changeField(change, group, entity, known, { addOptions }));
  }
  const after = await change.reload();
  needRoom(change.catalog, after, ["fields"]);
  const ofKind = groupOf(after, caller, groupId).fields.get(entity) ?? [];
  return ofKind.map(({ uuid, name, type, config, options: own }) => ({ uuid, name, type, config, options: own }));
}
