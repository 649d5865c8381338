import { LRUCache } from "lru-cache";
import type { Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { type Catalog, loadCatalog } from "./catalog.ts";

export interface Catalogs {
  /** The catalog in this version or a later one. It is read unless the process has one. */
  atLeast(workspaceId: Uuid, version: number): Promise<Catalog>;
  /** The catalog in exactly this version, if the process has it. */
  inVersion(workspaceId: Uuid, version: number): Catalog | undefined;
  /** The catalog that the process has, which may be an older one. It is read when there is none. */
  kept(workspaceId: Uuid): Promise<Catalog>;
  /** The catalog of this moment. It takes one small statement, and is read when the process has not its version. */
  current(workspaceId: Uuid): Promise<Catalog>;
  /** Waits until the catalog of a workspace may be read again, for code that reads it by other ways. */
  rested(workspaceId: Uuid): Promise<void>;
}

/** Queries that read the rows of catalogs. */
interface Queries {
  /** For small statements. */
  query: Query;
  /** For the catalogs themselves, which may be large: what others wait for must not wait behind them. */
  load: Query;
}

/** Number of catalogs that a process keeps. The one that was not used for longest goes first. */
const WORKSPACES_KEPT = 1000;

/**
 * Rest before a catalog is read again, as a multiple of the time that it took to read. So the definitions of one
 * workspace take at most a fourth of the time of a process, however large they are and however often they change: the
 * changing requests wait.
 * docs/guides/limits.md#turns
 */
const REST_TIMES = 3;
/** A catalog that is read sooner is read whenever it is needed. */
const REST_AFTER_MS = 30;
const REST_MS_MAX = 2_000;

/**
 * The catalogs that a process keeps, which are read when they are needed, and once for all who wait for them. A workspace that is
 * not there is an Error and no ApiError, since whoever asks has a caller in it.
 */
export function createCatalogs({ query, load }: Queries): Catalogs {
  const kept = new LRUCache<string, Catalog>({ max: WORKSPACES_KEPT });
  const loading = new Map<Uuid, Promise<Catalog>>();
  const restsUntil = new LRUCache<string, number>({ max: WORKSPACES_KEPT });

  async function loadNow(workspaceId: Uuid): Promise<Catalog> {
    await rested(workspaceId);
    const since = performance.now();
    const catalog = await loadCatalog(load, workspaceId);
    // The caller's key was valid a moment ago, so the workspace was removed just now.
    if (!catalog) throw new Error(`The workspace ${workspaceId} is gone`);
    noteRest(workspaceId, performance.now() - since);
    const other = kept.get(workspaceId);
    if (!other || other.version < catalog.version) kept.set(workspaceId, catalog);
    return catalog;
  }

  function noteRest(workspaceId: Uuid, tookMs: number): void {
    if (tookMs > REST_AFTER_MS)
      restsUntil.set(workspaceId, performance.now() + Math.min(REST_MS_MAX, REST_TIMES * tookMs));
  }

  async function rested(workspaceId: Uuid): Promise<void> {
    const waitMs = (restsUntil.get(workspaceId) ?? 0) - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }

  function loadOnce(workspaceId: Uuid): Promise<Catalog> {
    let running = loading.get(workspaceId);
    if (!running) {
      running = loadNow(workspaceId).finally(() => loading.delete(workspaceId));
      loading.set(workspaceId, running);
    }
    return running;
  }

  async function atLeast(workspaceId: Uuid, version: number): Promise<Catalog> {
    const known = kept.get(workspaceId);
    if (known && known.version >= version) return known;
    // A read that is under way may have begun before this version was there. One that begins afterwards has it.
    const joined = await loading.get(workspaceId)?.catch(() => undefined);
    return joined && joined.version >= version ? joined : loadOnce(workspaceId);
  }

  async function current(workspaceId: Uuid): Promise<Catalog> {
    const [row] = await query<{ version: number }>("select catalog_version as version from workspaces where id = $1", [
      workspaceId,
    ]);
    return atLeast(workspaceId, Number(row?.version ?? 0));
  }

  return {
    atLeast,
    inVersion: (workspaceId, version) => {
      const catalog = kept.get(workspaceId);
      return catalog?.version === version ? catalog : undefined;
    },
    kept: async (workspaceId) => kept.get(workspaceId) ?? loadOnce(workspaceId),
    current,
    rested,
  };
}
