import { LRUCache } from "lru-cache";
import type { Decision } from "../../base/contract/rate-windows.ts";

const USERS_KEPT = 10_000;

interface Refusal {
  decision: Decision;
  answeredAt: number;
  /** When the first counted request leaves a window, in milliseconds of performance.now(). */
  validUntil: number;
}

/** An answer of the holder of a user: null and undefined are no decisions (services/ratelimit/questions.ts). */
type Answer = Decision | null | undefined;

/**
 * Remembers refusals of users that other processes hold. No request of the user can be admitted until the first counted
 * one leaves its window, so until then a refusal holds, and a flood of requests of one user does not reach the bus.
 * Returns the function that gives the present refusal of a user, with its remaining waits, which are never too short,
 * or asks the holder when there is none.
 */
export function recentRefusals() {
  const refusals = new LRUCache<string, Refusal>({ max: USERS_KEPT });

  function find(key: string): Decision | undefined {
    const refusal = refusals.get(key);
    if (!refusal) return undefined;
    const now = performance.now();
    if (now >= refusal.validUntil) {
      refusals.delete(key);
      return undefined;
    }
    const { standings, exceeded, retryAfterMs } = refusal.decision;
    const passed = now - refusal.answeredAt;
    return {
      standings: standings.map(({ remaining, resetMs }) => ({ remaining, resetMs: Math.max(0, resetMs - passed) })),
      exceeded,
      retryAfterMs: retryAfterMs - passed,
    };
  }

  return async (key: string, ask: () => Promise<Answer>): Promise<Answer> => {
    const known = find(key);
    if (known) return known;
    // The holder decides later than this, so the refusal is over by then at the latest.
    const askedAt = performance.now();
    const decision = await ask();
    if (!decision || decision.exceeded === null) return decision;
    const leaves = decision.standings.map(({ resetMs }) => resetMs).filter((ms) => ms > 0);
    refusals.set(key, { decision, answeredAt: performance.now(), validUntil: askedAt + Math.min(...leaves) });
    return decision;
  };
}
