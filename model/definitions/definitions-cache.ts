import { LRUCache } from "lru-cache";
import type { Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { type Definitions, loadDefinitions } from "./definitions.ts";

export interface DefinitionsCache {
  /** The definitions in this version or a later one. They are read unless the process has them. */
  atLeast(workspaceId: Uuid, version: number): Promise<Definitions>;
  /** The version of the definitions in memory, which can be outdated; undefined if there are none. */
  keptVersion(workspaceId: Uuid): number | undefined;
  /** The definitions in exactly this version, if the process has them. */
  inVersion(workspaceId: Uuid, version: number): Definitions | undefined;
  /** The definitions in memory, which can be outdated. They are read if there are none. */
  kept(workspaceId: Uuid): Promise<Definitions>;
  /**
   * The definitions of this moment. They take one small statement, and are read when the process has not their version.
   */
  current(workspaceId: Uuid): Promise<Definitions>;
  /** Waits until the definitions of a workspace may be read again, for code that reads them by other ways. */
  rested(workspaceId: Uuid): Promise<void>;
}

/** Queries that read the rows of definitions. */
interface Queries {
  /** For small statements. */
  query: Query;
  /** For the definitions themselves, which can be large: other reads must not wait behind them. */
  load: Query;
}

/** Number of workspaces whose definitions a process keeps. Those that were not used for longest go first. */
const WORKSPACES_KEPT = 1000;

/**
 * Rest before definitions are read again, as a multiple of the time that they took to read. So the definitions of one
 * workspace take at most a fourth of the time of a process, however large they are and however often they change: the
 * changing requests wait.
 * docs/guides/under-load.md#turns
 */
const REST_TIMES = 3;
/** Definitions that are read sooner are read whenever they are needed. */
const REST_AFTER_MS = 30;
const REST_MS_MAX = 2_000;

/**
 * The definitions that a process keeps, which are read when they are needed, and once for all who wait for them. A
 * workspace that is not there is an Error and no ApiError, since whoever asks has a caller in it.
 */
export function createDefinitionsCache({ query, load }: Queries): DefinitionsCache {
  const kept = new LRUCache<string, Definitions>({ max: WORKSPACES_KEPT });
  const loading = new Map<Uuid, Promise<Definitions>>();
  const restsUntil = new LRUCache<string, number>({ max: WORKSPACES_KEPT });

  async function loadNow(workspaceId: Uuid): Promise<Definitions> {
    await rested(workspaceId);
    const since = performance.now();
    const definitions = await loadDefinitions(load, workspaceId);
    // The caller's key was valid a moment ago, so the workspace was removed just now.
    if (!definitions) throw new Error(`The workspace ${workspaceId} is gone`);
    noteRest(workspaceId, performance.now() - since);
    const other = kept.get(workspaceId);
    if (!other || other.version < definitions.version) kept.set(workspaceId, definitions);
    return definitions;
  }

  function noteRest(workspaceId: Uuid, tookMs: number): void {
    if (tookMs > REST_AFTER_MS)
      restsUntil.set(workspaceId, performance.now() + Math.min(REST_MS_MAX, REST_TIMES * tookMs));
  }

  async function rested(workspaceId: Uuid): Promise<void> {
    const waitMs = (restsUntil.get(workspaceId) ?? 0) - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }

  function loadOnce(workspaceId: Uuid): Promise<Definitions> {
    let running = loading.get(workspaceId);
    if (!running) {
      running = loadNow(workspaceId).finally(() => loading.delete(workspaceId));
      loading.set(workspaceId, running);
    }
    return running;
  }

  async function atLeast(workspaceId: Uuid, version: number): Promise<Definitions> {
    const known = kept.get(workspaceId);
    if (known && known.version >= version) return known;
    // A running read can have begun before this version was there. One that begins afterwards has it.
    const joined = await loading.get(workspaceId)?.catch(() => undefined);
    return joined && joined.version >= version ? joined : loadOnce(workspaceId);
  }

  async function current(workspaceId: Uuid): Promise<Definitions> {
    const [row] = await query<{ version: number }>("select catalog_version as version from workspaces where id = $1", [
      workspaceId,
    ]);
    return atLeast(workspaceId, Number(row?.version ?? 0));
  }

  return {
    atLeast,
    keptVersion: (workspaceId) => kept.get(workspaceId)?.version,
    inVersion: (workspaceId, version) => {
      const definitions = kept.get(workspaceId);
      return definitions?.version === version ? definitions : undefined;
    },
    kept: async (workspaceId) => kept.get(workspaceId) ?? loadOnce(workspaceId),
    current,
    rested,
  };
}
