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
  const refusals = recentRefusals();
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
    const endAt = performance.now() + COUNT_MS_MAX;
    let insists = false;
    while (performance.now() < endAt) {
      const decision = await attempt(user, insists);
      if (decision) return decision;
      insists ||= decision === undefined;
    }
    throw unavailable();
  }

  /** The decision; null if the user has another holder than was thought, and undefined if the holder is away. */
  function attempt(user: User, insists: boolean): Decision | Promise<Decision | null | undefined> {
    const key = userKey(user);
    const one = exchanges.find(key);
    if (one) return exchanges.count(one);
    const holder = insists ? undefined : exchanges.elsewhere.get(key);
    return holder === undefined ? exchanges.take(user, insists) : askHolder(holder, user, key);
  }

  /** A holder that only the bus cannot reach learns by the database that it has to give the user up. */
  async function askHolder(holder: string, user: User, key: string): Promise<Decision | null | undefined> {
    const askedAt = performance.now();
    const decision = refusals.find(key) ?? (await ask(user, holder));
    if (!decision) exchanges.elsewhere.delete(key);
    else if (decision.exceeded !== null) refusals.keep(key, decision, askedAt);
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
