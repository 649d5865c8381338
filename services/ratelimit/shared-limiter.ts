import { LRUCache } from "lru-cache";
import pLimit, { type LimitFunction } from "p-limit";
import type { Decision, Policy } from "../../base/contract/rate-windows.ts";
import { RETRY_AFTER_S } from "../../config/limits.ts";
import type { Database } from "../../database/database.ts";
import { errorCode } from "../../database/errors.ts";
import { SQLSTATE } from "../../database/sqlstates.ts";
import { type Limiter, type User, userKey } from "./limiter.ts";
import { unitsOf } from "./request-log-of-window.ts";
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

/**
 * Runs a piece of work for a user, in the order in which they came, with only a few of the same user running at once.
 */
type InLine = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

interface Line {
  run: LimitFunction;
  /** Number of pieces of work that run or wait. */
  length: number;
}

/** Gives a function that keeps a line for each user who has work to do, so that users do not wait for each other. */
function linesOfUsers(atOnce: number): InLine {
  const lines = new Map<string, Line>();
  return async (key, work) => {
    const line = lines.get(key) ?? { run: pLimit(atOnce), length: 0 };
    lines.set(key, line);
    line.length += 1;
    try {
      return await line.run(work);
    } finally {
      line.length -= 1;
      if (line.length === 0) lines.delete(key);
    }
  };
}

const USERS_KEPT = 10_000;

interface Refusal {
  decision: Decision;
  answeredAt: number;
  /** When the first counted request leaves a window, in milliseconds of performance.now(). */
  validUntil: number;
}

/**
 * Remembers refusals of the windows in the database. No request of the user can be admitted until the first counted one
 * leaves its window, so until then a refusal holds, and a flood of requests of one user costs the database nearly
 * nothing.
 */
function recentRefusals() {
  const refusals = new LRUCache<string, Refusal>({ max: USERS_KEPT });
  return {
    /**
     * Remembers the refusal of a user.
     * @param askedAt when the database was asked, in milliseconds of performance.now()
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
