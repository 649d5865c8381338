import { LRUCache } from "lru-cache";
import type { Caller } from "../../../base/contract/caller.ts";

/**
 * Time for which a key is trusted without asking again. A revoked key stops working within a second:
 * docs/guides/access.md#api-keys.
 */
const TRUST_MS = 500;
const KEYS_KEPT = 10_000;

/**
 * Creates a function that returns the user of an API key, or null. Requests that come together share one lookup, and a
 * valid key is looked up once in TRUST_MS. Invalid keys are looked up each time.
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
