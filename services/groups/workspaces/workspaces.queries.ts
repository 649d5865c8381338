import type { Group } from "../../../lib/catalog/catalog.ts";
import type { Role } from "../../../lib/catalog/roles.ts";
import { ApiError } from "../../../lib/contract/errors.ts";
import type { Query } from "../../../lib/database/query.ts";
import { madeAt, newUuid } from "../../../lib/values/ids.ts";

export interface WorkspaceRow {
  id: string;
  slug: string;
  name: string;
}

/** More slugs than these are not told in a message. */
const SLUGS_SHOWN_MAX = 20;

/** All workspaces in order of creation. */
export function allWorkspaces(query: Query): Promise<WorkspaceRow[]> {
  return query<WorkspaceRow>("select id, slug, name from workspaces order by id", []);
}

/** The workspace with this slug; throws a 404 that says which there are. */
export async function workspaceBySlug(query: Query, slug: string): Promise<WorkspaceRow> {
  const [row] = await query<WorkspaceRow>("select id, slug, name from workspaces where slug = $1", [slug]);
  if (row) return row;
  const slugs = (await allWorkspaces(query)).map((workspace) => workspace.slug);
  const more = slugs.length > SLUGS_SHOWN_MAX ? `, … ("workspaces list" shows all ${slugs.length})` : "";
  const known =
    slugs.length > 0
      ? `There are: ${slugs.slice(0, SLUGS_SHOWN_MAX).join(", ")}${more}.`
      : 'There is none yet: make one with "apply FILE".';
  throw new ApiError("RESOURCE_NOT_FOUND", `There is no workspace "${slug}". ${known}`);
}

/** Those of the workspaces that there are, kept from other changes of definitions until the transaction ends. */
export async function lockWorkspaces(query: Query, slugs: string[]): Promise<Map<string, WorkspaceRow>> {
  // In the order of slugs, so that two files wait for each other instead of deadlocking.
  const rows = await query<WorkspaceRow>(
    "select id, slug, name from workspaces where slug = any($1) order by slug for no key update",
    [slugs],
  );
  return new Map(rows.map((row) => [row.slug, row]));
}

/** Makes an empty workspace. */
export async function insertWorkspace(query: Query, slug: string, name: string): Promise<WorkspaceRow> {
  const id = newUuid();
  await query("insert into workspaces (id, slug, name, created_at) values ($1, $2, $3, $4)", [
    id,
    slug,
    name,
    madeAt(id),
  ]);
  return { id, slug, name };
}

/** Makes every process read the definitions of a workspace anew. */
export async function raiseVersion(query: Query, workspaceId: string): Promise<void> {
  await query("update workspaces set catalog_version = catalog_version + 1 where id = $1", [workspaceId]);
}

/** Sets name and visibility of a group. */
export async function updateGroup(
  query: Query,
  workspaceId: string,
  group: Pick<Group, "uuid" | "name" | "visibility">,
): Promise<void> {
  await query("update groups set name = $3, visibility = $4 where workspace_id = $1 and id = $2", [
    workspaceId,
    group.uuid,
    group.name,
    group.visibility,
  ]);
}

/** Deletes groups with their members, fields, objects, and the values that records have there. */
export async function deleteGroups(query: Query, workspaceId: string, uuids: string[]): Promise<void> {
  if (uuids.length > 0)
    await query("delete from groups where workspace_id = $1 and id = any($2::uuid[])", [workspaceId, uuids]);
}

/**
 * Deletes definitions. Stored values may keep their ids: what reads values knows only the fields that there are, so a
 * removal costs the same however many records have it.
 */
export async function deleteFields(query: Query, workspaceId: string, uuids: string[]): Promise<void> {
  if (uuids.length > 0)
    await query("delete from custom_fields where workspace_id = $1 and id = any($2::uuid[])", [workspaceId, uuids]);
}

/** Gives users membership rows with these roles, in the place of those they may have. */
export async function setRoles(
  query: Query,
  workspaceId: string,
  groupUuid: string,
  members: { uuid: string; role: Role }[],
): Promise<void> {
  if (members.length === 0) return;
  const rows = members.map(({ uuid, role }) => ({ user_id: uuid, role }));
  await query(
    `insert into group_members (workspace_id, group_id, user_id, role, created_at)
     select $1, $2, user_id, role, now() from json_populate_recordset(null::group_members, $3::json)
     on conflict (workspace_id, group_id, user_id) do update set role = excluded.role`,
    [workspaceId, groupUuid, JSON.stringify(rows)],
  );
}

/** Takes the membership rows of users away. */
export async function removeRoles(
  query: Query,
  workspaceId: string,
  groupUuid: string,
  userUuids: string[],
): Promise<void> {
  if (userUuids.length === 0) return;
  await query("delete from group_members where workspace_id = $1 and group_id = $2 and user_id = any($3::uuid[])", [
    workspaceId,
    groupUuid,
    userUuids,
  ]);
}
