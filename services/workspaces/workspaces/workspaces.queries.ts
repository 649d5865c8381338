import { ApiError } from "../../../base/contract/errors.ts";
import { madeAt, newUuid, type Uuid } from "../../../base/values/ids.ts";
import { didYouMean } from "../../../base/values/known-names.ts";
import type { Query, Write } from "../../../database/query.ts";

export interface WorkspaceRow {
  id: Uuid;
  slug: string;
  name: string;
}

/** All workspaces in order of creation. */
export function allWorkspaces(query: Query): Promise<WorkspaceRow[]> {
  return query<WorkspaceRow>("select id, slug, name from workspaces order by id", []);
}

/**
 * The workspace with this slug.
 * @throws ApiError 404 that says which slugs there are
 */
export async function workspaceBySlug(query: Query, slug: string): Promise<WorkspaceRow> {
  const [row] = await query<WorkspaceRow>("select id, slug, name from workspaces where slug = $1", [slug]);
  if (row) return row;
  const slugs = (await allWorkspaces(query)).map((workspace) => workspace.slug);
  const known = didYouMean(slug, slugs, {
    all: '"workspaces list"',
    none: 'There is none yet: make one with "apply FILE".',
  });
  throw new ApiError("RESOURCE_NOT_FOUND", `There is no workspace "${slug.slice(0, 100)}". ${known}`);
}

/**
 * The workspaces of these slugs that there are, by slug, locked against other changes of their definitions until the
 * transaction ends.
 */
export async function lockWorkspaces(query: Query, slugs: string[]): Promise<Map<string, WorkspaceRow>> {
  // Locked in the order of slugs, so that two files wait for each other instead of deadlocking.
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

/** Sets the name of a workspace. */
export async function renameWorkspace(write: Write, workspaceId: Uuid, name: string): Promise<void> {
  await write("update workspaces set name = $2 where id = $1", [workspaceId, name]);
}

/** Makes every process read the definitions of a workspace anew. */
export async function raiseVersion(query: Query, workspaceId: Uuid): Promise<void> {
  await query("update workspaces set catalog_version = catalog_version + 1 where id = $1", [workspaceId]);
}
