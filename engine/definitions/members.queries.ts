import type { Uuid } from "../../base/values/ids.ts";
import type { Write } from "../../database/query.ts";
import type { Role } from "../../model/definitions/definitions.ts";

/** Gives users a membership with these roles. A user who has one already gets the new role. */
export async function setRoles(
  write: Write,
  workspaceId: Uuid,
  groupUuid: Uuid,
  members: { uuid: Uuid; role: Role }[],
): Promise<void> {
  if (members.length === 0) return;
  const rows = members.map(({ uuid, role }) => ({ user_id: uuid, role }));
  await write(
    `insert into group_members (workspace_id, group_id, user_id, role, created_at)
     select $1, $2, user_id, role, now() from json_populate_recordset(null::group_members, $3::json)
     on conflict (workspace_id, group_id, user_id) do update set role = excluded.role`,
    [workspaceId, groupUuid, JSON.stringify(rows)],
  );
}

/** Deletes the memberships of users, if they have any. */
export async function removeRoles(write: Write, workspaceId: Uuid, groupUuid: Uuid, userUuids: Uuid[]): Promise<void> {
  if (userUuids.length === 0) return;
  await write("delete from group_members where workspace_id = $1 and group_id = $2 and user_id = any($3::uuid[])", [
    workspaceId,
    groupUuid,
    userUuids,
  ]);
}
