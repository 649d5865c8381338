import { type Id, madeAt, newUuid, toId, type Uuid } from "../../base/values/ids.ts";
import type { Write } from "../../database/query.ts";
import type { Group } from "../../model/definitions/definitions.ts";
import { emptyGroups } from "./empty-groups.ts";

type NewGroup = Pick<Group, "name" | "visibility">;

/** Makes a group, which has no memberships yet. */
export async function insertGroup(
  write: Write,
  workspaceId: Uuid,
  { name, visibility }: NewGroup,
): Promise<NewGroup & { uuid: Uuid; id: Id }> {
  const uuid = newUuid();
  await write("insert into groups (workspace_id, id, name, visibility, created_at) values ($1, $2, $3, $4, $5)", [
    workspaceId,
    uuid,
    name,
    visibility,
    madeAt(uuid),
  ]);
  return { uuid, id: toId("group", uuid), name, visibility };
}

/** Sets name and visibility of a group. */
export async function updateGroup(
  write: Write,
  workspaceId: Uuid,
  group: Pick<Group, "uuid" | "name" | "visibility">,
): Promise<void> {
  await write("update groups set name = $3, visibility = $4 where workspace_id = $1 and id = $2", [
    workspaceId,
    group.uuid,
    group.name,
    group.visibility,
  ]);
}

/** Deletes groups with their members, fields, objects, and the values that records have there. */
export async function deleteGroups(write: Write, workspaceId: Uuid, uuids: Uuid[]): Promise<void> {
  if (uuids.length === 0) return;
  await emptyGroups(write, workspaceId, uuids);
  await write("delete from groups where workspace_id = $1 and id = any($2::uuid[])", [workspaceId, uuids]);
}
