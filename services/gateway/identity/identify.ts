import { LRUCache } from "lru-cache";
import type { Caller } from "../../../base/contract/caller.ts";

/**
 * Time for which a key is trusted without asking again. A revoked key stops working within a second:
 * docs/guides/access.md#api-keys.
 */
const TRUST_MS = 500;
const KEYS_KEPT = 10_000;

/**
 * Gives a function that tells the user behind an API key, or null. It asks once for requests that come together, and
 * once in TRUST_MS for a key that is valid. Keys that are not valid are asked for each time.
 */
export function createIdentifier(
  findCaller: (key: string) => Promise<Caller | null>,
): (key: string) => Promise<Caller | null> | Caller {
  const known = new LRUCache<string, Caller>({ max: KEYS_KEPT, ttl: TRUST_MS });
  const asking = new Map<string, Promise<Caller | null>>();

  async function askOnce(key: string): Promise<Caller | null> {
    try {
      const caller = await findCaller(key);
      if (caller) known.set(key, caller);
      return caller;
    } finally {
      asking.delete(key);
    }
  }

  return (key) => {
    const caller = known.get(key);
    if (caller) return caller;
    let pending = asking.get(key);
    if (!pending) {
      pending = askOnce(key);
      asking.set(key, pending);
    }
    return pending;
  };
}
