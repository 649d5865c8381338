import { LRUCache } from "lru-cache";

/** Of how many keys the workspace is remembered. */
const KEYS_KEPT = 10_000;

/**
 * Whose requests wait in one line, before it is known who sends them. A key that was valid some time ago tells the workspace, by
 * which nobody gets access to anything: it decides only whom a request waits behind.
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
