import type { Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";

// The directory of slugs, the table `workspace_slugs`. docs/architecture.md#data

/** The constraint that refuses a slug which another workspace has. */
export const SLUG_TAKEN = "workspace_slugs_slug_key";

/** The workspaces of these slugs that there are, in the order of their slugs. */
export function idsOfSlugs(query: Query, slugs: string[]): Promise<{ id: Uuid; slug: string }[]> {
  return query<{ id: Uuid; slug: string }>(
    "select workspace_id as id, slug from workspace_slugs where slug = any($1) order by slug",
    [slugs],
  );
}

/** A new workspace. */
interface NewWorkspace {
  id: Uuid;
  slug: string;
  name: string;
  createdAt: Date | string;
}

/**
 * Inserts the row of a workspace, and its slug into the directory, inside the caller's transaction.
 * @throws Error of PostgreSQL of the constraint `SLUG_TAKEN`, or of `workspaces_pkey` for an id that is there
 */
export async function insertWorkspaceRow(query: Query, { id, slug, name, createdAt }: NewWorkspace): Promise<void> {
  await Promise.all([
    query("insert into workspaces (id, slug, name, created_at) values ($1, $2, $3, $4)", [id, slug, name, createdAt]),
    query("insert into workspace_slugs (workspace_id, slug) values ($1, $2)", [id, slug]),
  ]);
}
