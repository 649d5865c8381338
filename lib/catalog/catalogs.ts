import { LRUCache } from "lru-cache";
import type { Query } from "../database/query.ts";
import type { Uuid } from "../values/ids.ts";
import { type Catalog, loadCatalog } from "./catalog.ts";

export interface Catalogs {
  /** The catalog in this version or a later one. It is read unless the process has one. */
  atLeast(workspaceId: Uuid, version: number): Promise<Catalog>;
  /** The catalog that the process has, which may be an older one. It is read when there is none. */
  kept(workspaceId: Uuid): Promise<Catalog>;
  /** The catalog of this moment. It takes one small statement, and is read when the process has not its version. */
  current(workspaceId: Uuid): Promise<Catalog>;
}

/** How many catalogs a process keeps. The one that was not used for longest goes first. */
const WORKSPACES_KEPT = 1000;

/**
 * The catalogs that a process keeps, which are read with `query` when they are needed. A workspace that is not there is an Error
 * and no ApiError, since whoever asks has a caller in it.
 */
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

  async function keptOrRead(workspaceId: Uuid): Promise<Catalog> {
    return kept.get(workspaceId) ?? load(workspaceId);
  }

  return { atLeast, kept: keptOrRead, current };
}
