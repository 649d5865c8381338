import { LRUCache } from "lru-cache";
import type { Decision } from "../../lib/rate-limits/windows.ts";

const USERS_KEPT = 10_000;

interface Refusal {
  decision: Decision;
  answeredAt: number;
  /** Until the first counted request leaves a window. */
  validUntil: number;
}

/**
 * Refusals of the shared windows, which hold for everybody until the first counted request leaves: nobody can be admitted
 * meanwhile, so nothing else changes. A flood of one user thus costs the database as good as nothing.
 */
export function recentRefusals() {
  const refusals = new LRUCache<string, Refusal>({ max: USERS_KEPT });
  return {
    /** @param askedAt before the decision was made, in milliseconds of performance.now() */
    keep(key: string, decision: Decision, askedAt: number): void {
      const leaves = decision.standings.map(({ resetMs }) => resetMs).filter((ms) => ms > 0);
      const validUntil = askedAt + Math.min(...leaves);
      refusals.set(key, { decision, answeredAt: performance.now(), validUntil });
    },
    /** The refusal of a user that still holds, as it stands now: its waits are never too short. */
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
