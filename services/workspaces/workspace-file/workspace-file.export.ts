import { customFieldTypes } from "../../../model/custom-fields/index.ts";
import type { Definitions, EntityKey, Group } from "../../../model/definitions/definitions.ts";
import type { WorkspaceRow } from "../workspaces/workspaces.queries.ts";
import type { FileField, WorkspaceFile } from "./workspace-file.schema.ts";

/**
 * A workspace as a file. Applied here it changes nothing, and applied elsewhere it makes a workspace of the same form.
 * Removed users are left out. docs/guides/workspace-file.md#exporting
 */
export function exportWorkspace({ slug, name }: WorkspaceRow, definitions: Definitions): WorkspaceFile {
  const users = [...definitions.users.values()].filter((user) => !user.removed);
  return {
    workspace: slug,
    name,
    users: users.map(({ email, fullName, role }) => ({ email, fullName, role })),
    groups: [...definitions.groups.values()].map((group) => ({
      name: group.name,
      visibility: group.visibility,
      members: users.flatMap(({ uuid, email }) => {
        const role = group.members.get(uuid);
        return role ? [{ user: email, role }] : [];
      }),
      fields: exportFields(group),
    })),
  };
}

/**
 * The fields of a group by entity. Object types come first, in the order of their creation: an objectField on person or
 * company makes the type of its name where there is none, so a type would be made too early.
 */
function exportFields(group: Group): Record<string, FileField[]> {
  const types = group.objectTypes.map(({ uuid, name }): [EntityKey, string] => [uuid, name]);
  const kinds = (["person", "company"] as const)
    .filter((kind) => group.fields.has(kind))
    .map((kind): [EntityKey, string] => [kind, kind]);
  return Object.fromEntries([...types, ...kinds].map(([entity, name]) => [name, fieldsOf(group, entity)]));
}

function fieldsOf(group: Group, entity: EntityKey): FileField[] {
  return (group.fields.get(entity) ?? []).map(({ name, type, options, config }) => {
    const { hasOptions } = customFieldTypes[type];
    return {
      name,
      type,
      ...(config && { config }),
      ...(hasOptions && { options: options.map(({ label, color }) => ({ label, color })) }),
    };
  });
}
