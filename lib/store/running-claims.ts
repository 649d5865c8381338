import type { Claim } from "../contract/claim.ts";
import { inProgress } from "../idempotency/settle.ts";

/** Who writes; without a claim, nothing is looked at. */
interface Writer {
  workspaceId: string;
  userId?: string;
  claim?: Claim;
}

/** Runs the work of a caller, unless work with the same Idempotency-Key runs in this process. */
export type UnlessRunning = <Result>(writer: Writer, work: () => Promise<Result>) => Promise<Result>;

/**
 * Tells duplicates of a request that still runs in this process so at once: they would find its lock in the database
 * (lib/idempotency/settle.ts), but only after waiting for a connection, and everybody else behind them.
 */
export function createClaims(): UnlessRunning {
  const running = new Set<string>();
  return async ({ workspaceId, userId, claim }, work) => {
    if (!claim) return work();
    const key = `${workspaceId} ${userId} ${claim.key}`;
    if (running.has(key)) throw inProgress();
    running.add(key);
    try {
      return await work();
    } finally {
      running.delete(key);
    }
  };
}
