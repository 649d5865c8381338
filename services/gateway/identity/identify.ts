import { LRUCache } from "lru-cache";
import type { Caller } from "../../../lib/contract/caller.ts";

/** How long a key is trusted without asking; a revoked one must be refused within a second everywhere. gaps 3. */
const TRUST_MS = 500;
const KEYS_KEPT = 10_000;

/** Asks who is behind a key, at most once for requests that come together and within TRUST_MS. Unknown keys are not kept. */
export function createIdentifier(
  ask: (key: string) => Promise<Caller | null>,
): (key: string) => Promise<Caller | null> | Caller {
  const known = new LRUCache<string, Caller>({ max: KEYS_KEPT, ttl: TRUST_MS });
  const asking = new Map<string, Promise<Caller | null>>();

  async function askNow(key: string): Promise<Caller | null> {
    try {
      const caller = await ask(key);
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
      pending = askNow(key);
      asking.set(key, pending);
    }
    return pending;
  };
}
