import { LRUCache } from "lru-cache";
import type { Decision, Policy } from "../../base/contract/rate-windows.ts";
import { RETRY_AFTER_S } from "../../config/limits.ts";
import type { Database } from "../../database/database.ts";
import { errorCode } from "../../database/errors.ts";
import { SQLSTATE } from "../../database/sqlstates.ts";
import { type Limiter, type User, userKey } from "./limiter.ts";
import { linesOfUsers } from "./lines.ts";
import { recentRefusals } from "./refusals.ts";
import { unitsOf } from "./stamps.ts";
import { countStored } from "./windows.queries.ts";

/** Number of requests of one user that ask the database at once. The first refusal answers for all that wait. */
const ASKING_MAX = 4;
/** Number of users whose rows were found locked that a process remembers. */
const LOCKED_KEPT = 10_000;

/** A row that was locked for too long. */
interface Locked {
  error: unknown;
  /** When the next request may look again, in milliseconds of performance.now(). */
  until: number;
}

/**
 * The rate windows that several processes share. They are in the database, where each request is decided under the lock
 * of its user's row. Without an answer of the database it is not decided, and the request is 503.
 * docs/guides/growing.md#rate-windows
 */
export function sharedLimiter(database: Database, policies: readonly Policy[]): Limiter {
  const windows = { policies, units: unitsOf(policies) };
  const refusals = recentRefusals();
  const locked = new LRUCache<string, Locked>({ max: LOCKED_KEPT });
  const inLine = linesOfUsers(ASKING_MAX);

  /**
   * Fails when the row of the user was found locked just now. A statement that waits for a lock holds up those of other
   * users on the same connection, so one request of the user looks again when the time of `Retry-After` is over.
   */
  function passLock(key: string): void {
    const found = locked.get(key);
    if (!found) return;
    if (performance.now() < found.until) throw found.error;
    found.until = lookAgainAt();
  }

  /** Decides the request that is next in the line of its user. */
  async function countNext(user: User, key: string): Promise<Decision> {
    const refused = refusals.find(key);
    if (refused) return refused;
    passLock(key);
    const askedAt = performance.now();
    try {
      const decision = await countStored(database, windows, user);
      locked.delete(key);
      if (decision.exceeded !== null) refusals.keep(key, decision, askedAt);
      return decision;
    } catch (error) {
      if (errorCode(error) === SQLSTATE.lockNotAvailable) locked.set(key, { error, until: lookAgainAt() });
      throw error;
    }
  }

  return {
    countRequest(user) {
      const key = userKey(user);
      return refusals.find(key) ?? inLine(key, () => countNext(user, key));
    },
  };
}

function lookAgainAt(): number {
  return performance.now() + RETRY_AFTER_S * 1000;
}
