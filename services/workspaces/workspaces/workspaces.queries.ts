import { ApiError } from "../../../base/contract/errors.ts";
import { madeAt, newUuid, type Uuid } from "../../../base/values/ids.ts";
import { didYouMean } from "../../../base/values/known-names.ts";
import type { Query, Write } from "../../../database/query.ts";
import { idsOfSlugs, insertWorkspaceRow } from "../../../engine/definitions/workspaces.queries.ts";

export interface WorkspaceRow {
  id: Uuid;
  slug: string;
  name: string;
}

const BY_ID = "select id, slug, name from workspaces where id = $1";

/** All workspaces in order of creation. */
export function allWorkspaces(query: Query): Promise<WorkspaceRow[]> {
  return query<WorkspaceRow>("select id, slug, name from workspaces order by id", []);
}

/**
 * The workspace with this slug.
 * @throws ApiError 404 that says which slugs there are
 */
export async function workspaceBySlug(query: Query, slug: string): Promise<WorkspaceRow> {
  const [known] = await idsOfSlugs(query, [slug]);
  const [row] = known ? await query<WorkspaceRow>(BY_ID, [known.id]) : [];
  if (row) return row;
  const slugs = (await allWorkspaces(query)).map((workspace) => workspace.slug);
  const nearest = didYouMean(slug, slugs, {
    all: '"workspaces list"',
    none: 'There is none yet: make one with "apply FILE".',
  });
  throw new ApiError("RESOURCE_NOT_FOUND", `There is no workspace "${slug.slice(0, 100)}". ${nearest}`);
}

/**
 * The workspaces of these slugs that there are, by slug, locked against other changes of their definitions until the
 * transaction ends.
 */
export async function lockWorkspaces(query: Query, slugs: string[]): Promise<Map<string, WorkspaceRow>> {
  // A connection runs its statements one after the other, so the rows are locked in the order of slugs: two files wait
  // for each other instead of deadlocking.
  const known = await idsOfSlugs(query, slugs);
  const rows = await Promise.all(known.map(({ id }) => query<WorkspaceRow>(`${BY_ID} for no key update`, [id])));
  return new Map(rows.flat().map((row) => [row.slug, row]));
}

/** Makes an empty workspace, inside the caller's transaction. */
export async function insertWorkspace(query: Query, slug: string, name: string): Promise<WorkspaceRow> {
  const id = newUuid();
  await insertWorkspaceRow(query, { id, slug, name, createdAt: madeAt(id) });
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
