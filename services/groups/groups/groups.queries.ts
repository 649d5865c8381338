import type { Group } from "../../../lib/catalog/catalog.ts";
import type { Role } from "../../../lib/catalog/roles.ts";
import type { Query } from "../../../lib/database/query.ts";
import { madeAt, newUuid, toId } from "../../../lib/values/ids.ts";

type NewGroup = Pick<Group, "name" | "visibility">;

/** Makes a group; nobody is its member yet. */
export async function insertGroup(
  query: Query,
  workspaceId: string,
  { name, visibility }: NewGroup,
): Promise<NewGroup & { uuid: string; id: string }> {
  const uuid = newUuid();
  await query("insert into groups (workspace_id, id, name, visibility, created_at) values ($1, $2, $3, $4, $5)", [
    workspaceId,
    uuid,
    name,
    visibility,
    madeAt(uuid),
  ]);
  return { uuid, id: toId("group", uuid), name, visibility };
}

/** Gives a user a membership row with this role, in the place of the one they may have. */
export async function setRole(
  query: Query,
  workspaceId: string,
  groupUuid: string,
  userUuid: string,
  role: Role,
): Promise<void> {
  await query(
    `insert into group_members (workspace_id, group_id, user_id, role, created_at) values ($1, $2, $3, $4, now())
     on conflict (workspace_id, group_id, user_id) do update set role = excluded.role`,
    [workspaceId, groupUuid, userUuid, role],
  );
}

/** Takes the membership row of a user away. */
export async function removeRole(
  query: Query,
  workspaceId: string,
  groupUuid: string,
  userUuid: string,
): Promise<void> {
  await query("delete from group_members where workspace_id = $1 and group_id = $2 and user_id = $3", [
    workspaceId,
    groupUuid,
    userUuid,
  ]);
}
