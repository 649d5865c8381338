import type { Claim } from "../../base/contract/claim.ts";
import { inProgress } from "../idempotency/settle.ts";

/** Writer with a claim. A write without a claim is just run. */
interface Writer {
  workspaceId: string;
  userId?: string;
  claim?: Claim;
}

/** Runs the work of a caller, unless work with the same Idempotency-Key runs in this process. */
export type UnlessRunning = <Result>(writer: Writer, work: () => Promise<Result>) => Promise<Result>;

/**
 * Refuses a duplicate of a request that still runs in this process with 409, at once. It would find the lock of that request in
 * the database, too (engine/idempotency/settle.ts), but only after it has waited for a connection, and others would wait behind it.
 * docs/guides/idempotency.md#while-it-runs
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
