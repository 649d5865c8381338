import { LRUCache } from "lru-cache";
import type { Query } from "../database/query.ts";
import type { Uuid } from "../values/ids.ts";
import { type Catalog, loadCatalog } from "./catalog.ts";

export interface Catalogs {
  /** Read anew unless this process has this version already. */
  atLeast(workspaceId: Uuid, version: number): Promise<Catalog>;
  /** The version of now: one small statement, and the whole catalog when it changed. */
  current(workspaceId: Uuid): Promise<Catalog>;
}

/** At most so many workspaces are kept in a process; the least used go first. */
const WORKSPACES_KEPT = 1000;

/** Catalogs of one process, read with `query` when needed. */
export function createCatalogs(query: Query): Catalogs {
  const kept = new LRUCache<string, Catalog>({ max: WORKSPACES_KEPT });

  async function load(workspaceId: Uuid): Promise<Catalog> {
    const catalog = await loadCatalog(query, workspaceId);
    // The caller's key was valid a moment ago, so the workspace was removed just now.
    if (!catalog) throw new Error(`The workspace ${workspaceId} is gone`);
    const other = kept.get(workspaceId);
    if (!other || other.version < catalog.version) kept.set(workspaceId, catalog);
    return catalog;
  }

  async function atLeast(workspaceId: Uuid, version: number): Promise<Catalog> {
    const catalog = kept.get(workspaceId);
    return catalog && catalog.version >= version ? catalog : load(workspaceId);
  }

  async function current(workspaceId: Uuid): Promise<Catalog> {
    const [row] = await query<{ version: number }>("select catalog_version as version from workspaces where id = $1", [
      workspaceId,
    ]);
    return atLeast(workspaceId, Number(row?.version ?? 0));
  }

  return { atLeast, current };
}
