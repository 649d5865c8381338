import { unavailable } from "../../base/contract/errors.ts";
import type { Decision, Policy } from "../../base/contract/rate-windows.ts";
import type { Database } from "../../database/database.ts";
import { databaseClock } from "./database-clock.ts";
import { Exchanges } from "./exchanges.ts";
import { keepLease, nodeOf } from "./lease.ts";
import { type Limiter, type User, userKey } from "./limiter.ts";
import { questions } from "./questions.ts";
import { recentRefusals } from "./recent-refusals.ts";

/**
 * Longest time that a request waits until it is counted. A holder that hangs loses its users in less than half of it.
 */
const COUNT_MS_MAX = 5_000;

interface Options {
  database: Pick<Database, "openSession">;
  policies: readonly Policy[];
  nodeID: string;
  /** Calls `countHeld` of another node. */
  askNode(nodeID: string, user: User, count: number, timeoutMs: number): Promise<(Decision | null)[]>;
}

/**
 * The rate windows that several processes share. One process at a time holds a user and decides about all requests of
 * the user, in its memory. The others ask it. docs/decisions/0007-rate-limits.md
 */
export function sharedLimiter({ database, policies, nodeID, askNode }: Options): Limiter {
  const clock = databaseClock();
  const refusedOr = recentRefusals();
  const lease = keepLease({
    database,
    nodeID,
    clock,
    lost: () => exchanges.forgetAll(),
    askedFor: (key) => exchanges.giveUp(key),
  });
  const exchanges = new Exchanges(lease, clock, policies);
  const ask = questions({
    ask: (holder, user, count) => askNode(nodeOf(holder), user, count, COUNT_MS_MAX),
    takeOver: (user) => exchanges.take(user, false),
  });

  /** Finds the process that holds the user, or becomes it. */
  async function find(user: User): Promise<Decision> {
    const key = userKey(user);
    const endAt = performance.now() + COUNT_MS_MAX;
    let away: string | undefined;
    while (performance.now() < endAt) {
      const holder = exchanges.elsewhere.get(key);
      const decision = await attempt(user, key, { holder, isAway: holder === away });
      if (decision) return decision;
      if (decision === undefined) away = holder;
    }
    throw unavailable();
  }

  /**
   * The decision; null if the user has another holder than was thought, and undefined if the holder is away. A holder
   * that is away but has its lock may only be out of reach of the bus. It learns by the database that it has to give
   * the user up.
   */
  function attempt(
    user: User,
    key: string,
    { holder, isAway }: { holder: string | undefined; isAway: boolean },
  ): Decision | Promise<Decision | null | undefined> {
    const one = exchanges.find(key);
    if (one) return exchanges.count(one);
    if (holder === undefined || isAway) return exchanges.take(user, holder !== undefined);
    return askHolder(holder, user, key);
  }

  async function askHolder(holder: string, user: User, key: string): Promise<Decision | null | undefined> {
    const decision = await refusedOr(key, () => ask(user, holder));
    if (!decision) exchanges.elsewhere.delete(key);
    return decision;
  }

  return {
    countRequest(user) {
      const one = exchanges.find(userKey(user));
      const counted = one && exchanges.count(one);
      if (counted instanceof Promise) return counted.then((decision) => decision ?? find(user));
      return counted ?? find(user);
    },
    async countHeld(user, count) {
      const one = exchanges.find(userKey(user));
      if (!one) return [];
      return Promise.all(Array.from({ length: count }, async () => (await exchanges.count(one)) ?? null));
    },
    open: () => lease.open(),
    async close() {
      try {
        await exchanges.giveUpAll();
      } finally {
        await lease.close();
      }
    },
  };
}
