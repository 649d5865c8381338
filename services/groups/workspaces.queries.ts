import type { Query } from "../../lib/catalog.ts";
import { ApiError } from "../../lib/errors.ts";

export interface WorkspaceRow {
  id: string;
  slug: string;
  name: string;
}

/** The workspace with this slug; throws a 404 that says how to list them. */
export async function workspaceBySlug(query: Query, slug: string): Promise<WorkspaceRow> {
  const [row] = await query<WorkspaceRow>("select id, slug, name from workspaces where slug = $1", [slug]);
  if (!row) throw new ApiError("RESOURCE_NOT_FOUND", `There is no workspace "${slug}". "workspaces list" shows those there are.`);
  return row;
}
