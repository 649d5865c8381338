import type { Caller } from "../../../base/contract/caller.ts";
import { ApiError } from "../../../base/contract/errors.ts";
import { closed, idSchema, type Static, Type } from "../../../base/contract/schema.ts";
import { didYouMean } from "../../../base/values/known-names.ts";
import { canEqual, comparable } from "../../../base/values/text.ts";
import { GROUP_NAME_LENGTH_MAX } from "../../../config/limits.ts";
import { changeField, createField } from "../../../engine/definitions/custom-fields.change.ts";
import { createBody, label, type NewField } from "../../../engine/definitions/custom-fields.schema.ts";
import { groupOf } from "../../../engine/definitions/groups.access.ts";
import type { Change } from "../../../engine/store/store.ts";
import type { CustomFieldTypeName, FieldData } from "../../../model/custom-fields/definition.ts";
import { needRoom } from "../../../model/definitions/bounds.ts";
import { type Definitions, findField, type Group, type User } from "../../../model/definitions/definitions.ts";
import { needRole, refuseRole } from "../../../model/definitions/roles.ts";
import { findUser } from "../../../model/definitions/users.ts";
import { noUser } from "../users/users.unknown.ts";
import { underPath } from "../workspace-file/workspace-file.fields.ts";
import { type ImportedKind, importEntity, importedKind } from "./import-entity.ts";

/** Definitions of an import: fields that the group lacks, and options that fields of it lack. */
export const importFieldsParams = closed({
  groupId: idSchema("group"),
  ...importedKind,
  dryRun: Type.Boolean(),
  fields: Type.Array(Type.Unsafe<NewField>(createBody)),
  options: Type.Array(closed({ field: Type.String(), labels: Type.Array(label) })),
});

/**
 * Makes fields and options of an import, all of them, or none when it throws the 422 with the place of what speaks
 * against it in `fields` or `options`. Gives all fields of the kind in the group as they are then.
 */
export async function importFields(
  change: Change,
  caller: Caller,
  { groupId, fields, options, ...kind }: Static<typeof importFieldsParams>,
): Promise<FieldData[]> {
  const group = groupOf(change.definitions, caller, groupId);
  needRole(group, caller, "admin");
  const { entity } = importEntity(group, kind);
  for (const [i, field] of fields.entries())
    await underPath(["fields", i], () => createField(change, group, entity, field));
  for (const [i, { field, labels }] of options.entries()) {
    const known = findField(group, entity, field);
    if (!known) throw new ApiError("RESOURCE_NOT_FOUND", `There is no custom field "${field}" any more.`);
    const addOptions = labels.map((added) => ({ label: added }));
    await underPath(["options", i], () => changeField(change, group, entity, known, { addOptions }));
  }
  const after = await change.reload();
  needRoom(change.definitions, after, ["fields"]);
  const ofKind = groupOf(after, caller, groupId).fields.get(entity) ?? [];
  return ofKind.map(({ uuid, name, type, config, options: own }) => {
    const sent = own.map((option) => ({ uuid: option.uuid, label: option.label, color: option.color }));
    return { uuid, name, type, config, options: sent };
  });
}

/** Target of an import, and the user it writes for. `labels` are the labels of the options of a select. */
export interface ImportTarget {
  caller: Caller;
  group: { id: string; name: string };
  /** Name of the type as it is written, for objects. */
  objectType?: string;
  fields: { name: string; type: CustomFieldTypeName; labels: string[] }[];
}

/** Options of the command line. */
interface Wanted extends ImportedKind {
  group: string;
  user?: string;
  /** Whether fields may have to be made, which needs the role admin. */
  definesFields?: boolean;
}

/**
 * Finds the group by name or id, and the user: the one who is named, or else the first who may import, admins of the
 * workspace first. docs/guides/import.md#a-first-import
 * @throws ApiError 404 for a group or an object type, 422 for a user that is not there; 403 when nobody has the role
 */
export function importTarget(
  definitions: Definitions,
  { group: named, user, definesFields = false, ...kind }: Wanted,
): ImportTarget {
  const group = groupNamed(definitions, named);
  const caller = callerFor(definitions, group, user, definesFields ? "admin" : "contributor");
  const { entity, objectType } = importEntity(group, kind);
  const fields = (group.fields.get(entity) ?? []).map(({ name, type, options }) => ({
    name,
    type,
    labels: options.map(({ label }) => label),
  }));
  return { caller, group: { id: group.id, name: group.name }, ...(objectType !== undefined && { objectType }), fields };
}

function groupNamed({ groups }: Definitions, asked: string): Group {
  const all = [...groups.values()];
  const wanted = asked.trim();
  const key = canEqual(wanted, GROUP_NAME_LENGTH_MAX) ? comparable(wanted) : undefined;
  const found = all.filter(({ id, name }) => id === asked || comparable(name) === key);
  const [group] = found;
  if (group && found.length === 1) return group;
  if (group)
    throw new ApiError(
      "RESOURCE_NOT_FOUND",
      `${found.length} groups are named "${asked}". Give the id of one: ${found.map(({ id }) => id).join(", ")}.`,
    );
  const names = all.map(({ name }) => `"${name.slice(0, 100)}"`);
  const known = didYouMean(wanted, names, { none: 'The workspace has none: make one with "apply FILE".' });
  throw new ApiError("RESOURCE_NOT_FOUND", `There is no group "${asked.slice(0, 300)}". ${known}`);
}

function callerFor(
  definitions: Definitions,
  group: Group,
  email: string | undefined,
  needed: "admin" | "contributor",
): Caller {
  if (email !== undefined) {
    const caller = callerNamed(definitions, email);
    const refusal = refuseRole(group, caller, needed);
    if (refusal !== null) throw new ApiError("FORBIDDEN", `${email} may not import there. ${refusal}`);
    return caller;
  }
  const caller = callersInOrder(definitions).find((candidate) => refuseRole(group, candidate, needed) === null);
  if (!caller)
    throw new ApiError(
      "FORBIDDEN",
      `No user of the workspace has the role ${needed} in the group "${group.name}". Give it to one with "apply FILE".`,
    );
  return caller;
}

/**
 * The user that a command without a group writes for: the named user, or else the first one, admins of the workspace
 * first. docs/guides/import-interactions.md
 * @throws ApiError 422 for an unknown user, 403 when there is none
 */
export function commandCaller(definitions: Definitions, { user }: { user?: string }): { caller: Caller } {
  const caller = user === undefined ? callersInOrder(definitions)[0] : callerNamed(definitions, user);
  if (!caller) throw new ApiError("FORBIDDEN", 'The workspace has no user. Add one with "users add".');
  return { caller };
}

function callerNamed(definitions: Definitions, email: string): Caller {
  const user = findUser(definitions, { email });
  if (user) return callerOf(definitions, user);
  throw noUser(definitions, email, ["user"]);
}

function callersInOrder(definitions: Definitions): Caller[] {
  const users = [...definitions.users.values()].filter((user) => !user.removed);
  const inOrder = [...users.filter(({ role }) => role === "admin"), ...users.filter(({ role }) => role !== "admin")];
  return inOrder.map((user) => callerOf(definitions, user));
}

function callerOf({ workspaceId }: Definitions, { uuid }: User): Caller {
  return { workspaceId, userId: uuid, keyId: null, access: "full" };
}
