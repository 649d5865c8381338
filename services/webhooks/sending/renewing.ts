import { type Database, run } from "../../../database/database.ts";
import { type Queue, renewLease, renewLeases } from "./queues.queries.ts";

/** Keeps the leases of queues. */
export interface Renewing {
  /**
   * Renews all of these, and gives those that are still held. Rows that are locked at the moment are renewed when they
   * are free.
   */
  renew(queues: readonly Queue[]): Promise<Set<Queue>>;
  /** Resolves when none is waited for any more. */
  ended(): Promise<void>;
}

/**
 * The publisher may have the row of a busy webhook locked whenever all leases are renewed. So those that were locked
 * are renewed one by one, each with a wait for its lock, while the others are renewed in time beside them. The
 * statement for all of them has the connection on which deliveries are read, where it does not wait behind the filters
 * of users.
 */
export function createRenewing(
  database: Pick<Database, "sharedConnection" | "transaction">,
  leaseMs: number,
  onFailure: (error: Error) => void,
): Renewing {
  const waiting = new Set<Queue>();
  let last: Promise<void> = Promise.resolve();

  async function renewLocked(queue: Queue): Promise<void> {
    try {
      await database.transaction((trx) => renewLease((sql, values) => run(trx, sql, values), queue, leaseMs));
    } catch (error) {
      onFailure(error as Error);
    } finally {
      waiting.delete(queue);
    }
  }

  return {
    async renew(queues) {
      const held = await renewLeases(database.sharedConnection("webhooks").read, queues, leaseMs);
      for (const [queue, isRenewed] of held) {
        if (isRenewed || waiting.has(queue)) continue;
        waiting.add(queue);
        last = last.then(() => renewLocked(queue));
      }
      return new Set(held.keys());
    },
    ended: () => last,
  };
}
