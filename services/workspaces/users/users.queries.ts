import { madeAt, newUuid, type Uuid } from "../../../base/values/ids.ts";
import { comparableEmail } from "../../../base/values/text.ts";
import type { Query, Write } from "../../../database/query.ts";
import type { User } from "../../../model/definitions/definitions.ts";

export type UserColumns = Pick<User, "email" | "fullName" | "role">;

/** Makes users, in the order given, and gives their uuids in the same order. */
export async function insertUsers(write: Write, workspaceId: Uuid, users: UserColumns[]): Promise<Uuid[]> {
  if (users.length === 0) return [];
  const rows = users.map((user) => {
    const id = newUuid();
    return { ...toRow(user), id, created_at: madeAt(id) };
  });
  await write(
    `insert into users (workspace_id, id, email, email_key, full_name, role, created_at)
     select $1, id, email, email_key, full_name, role, created_at from json_populate_recordset(null::users, $2::json)`,
    [workspaceId, JSON.stringify(rows)],
  );
  return rows.map(({ id }) => id);
}

/** Sets address, name and role of users. */
export async function updateUsers(
  write: Write,
  workspaceId: Uuid,
  users: (UserColumns & { uuid: Uuid })[],
): Promise<void> {
  if (users.length === 0) return;
  const rows = users.map((user) => ({ ...toRow(user), id: user.uuid }));
  await write(
    `update users u set email = n.email, email_key = n.email_key, full_name = n.full_name, role = n.role
     from json_populate_recordset(null::users, $2::json) n where u.workspace_id = $1 and u.id = n.id`,
    [workspaceId, JSON.stringify(rows)],
  );
}

/** Removes a user: memberships are deleted and keys revoked. The row stays, because records name who made them. */
export async function removeUser(write: Write, workspaceId: Uuid, uuid: Uuid): Promise<void> {
  await write("update users set removed_at = now() where workspace_id = $1 and id = $2", [workspaceId, uuid]);
  await write("delete from group_members where workspace_id = $1 and user_id = $2", [workspaceId, uuid]);
  await write("update api_keys set revoked_at = coalesce(revoked_at, now()) where workspace_id = $1 and user_id = $2", [
    workspaceId,
    uuid,
  ]);
}

/** Number of keys of a user that can be used: neither revoked nor expired. */
export async function countUsableKeys(query: Query, workspaceId: Uuid, uuid: Uuid): Promise<number> {
  const [row] = await query<{ keys: number }>(
    `select count(*)::int as keys from api_keys
     where workspace_id = $1 and user_id = $2 and revoked_at is null and (expires_at is null or expires_at > now())`,
    [workspaceId, uuid],
  );
  return row?.keys ?? 0;
}

function toRow({ email, fullName, role }: UserColumns) {
  return { email, email_key: comparableEmail(email), full_name: fullName, role };
}
