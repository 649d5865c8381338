import { LRUCache } from "lru-cache";

/** Number of keys whose workspace is remembered. */
const KEYS_KEPT = 10_000;

/**
 * Tenants whose requests wait in one line, before the sender is known. A key that was valid some time ago names the
 * workspace. That gives no access to anything: it decides only which line a request waits in.
 */
export interface Tenants {
  /** The workspace of a key, empty when none is known. */
  of(apiKey: string): string;
  note(apiKey: string, workspaceId: string): void;
}

export function createTenants(): Tenants {
  const workspaces = new LRUCache<string, string>({ max: KEYS_KEPT });
  return {
    of: (apiKey) => workspaces.get(apiKey) ?? "",
    note: (apiKey, workspaceId) => void workspaces.set(apiKey, workspaceId),
  };
}
