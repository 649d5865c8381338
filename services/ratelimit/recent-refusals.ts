import { LRUCache } from "lru-cache";
import type { Decision } from "../../base/contract/rate-windows.ts";

const USERS_KEPT = 10_000;

interface Refusal {
  decision: Decision;
  answeredAt: number;
  /** When the first counted request leaves a window, in milliseconds of performance.now(). */
  validUntil: number;
}

/**
 * Remembers refusals of users that other processes hold. No request of the user can be admitted until the first counted
 * one leaves its window, so until then a refusal holds, and a flood of requests of one user does not reach the bus.
 */
export function recentRefusals() {
  const refusals = new LRUCache<string, Refusal>({ max: USERS_KEPT });
  return {
    /**
     * Remembers the refusal of a user.
     * @param askedAt when the holder was asked, in milliseconds of performance.now()
     */
    keep(key: string, decision: Decision, askedAt: number): void {
      const leaves = decision.standings.map(({ resetMs }) => resetMs).filter((ms) => ms > 0);
      const validUntil = askedAt + Math.min(...leaves);
      refusals.set(key, { decision, answeredAt: performance.now(), validUntil });
    },
    /**
     * The present refusal of a user, with its remaining waits, which are never too short; undefined if there is none.
     */
    find(key: string): Decision | undefined {
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
    },
  };
}
