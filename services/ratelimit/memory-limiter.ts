import { LRUCache } from "lru-cache";
import { admit, type Log, type Policy } from "../../base/contract/rate-windows.ts";
import type { Database } from "../../database/database.ts";
import { databaseClock } from "./database-clock.ts";
import { type Limiter, userKey, userOfKey } from "./limiter.ts";
import { logOf, storedOf, unitsOf } from "./request-log-of-window.ts";
import { readClock, storeLogs, takeAllStored } from "./windows.queries.ts";

/**
 * Number of users that a process remembers at once. The one that has been idle for the longest time is forgotten first.
 */
const USERS_KEPT = 100_000;

/**
 * The rate windows of an installation that is one process, which holds every user. Between an orderly stop and the next
 * start they lie in the database. docs/guides/growing.md#rate-windows
 */
export function memoryLimiter(database: Database, policies: readonly Policy[]): Limiter {
  // An older request counts nowhere any more.
  const longestMs = Math.max(...policies.map(({ windowS }) => windowS * 1000));
  const logs = new LRUCache<string, Log>({ max: USERS_KEPT, ttl: longestMs, updateAgeOnGet: true });
  const units = unitsOf(policies);
  const clock = databaseClock();

  return {
    countRequest(user) {
      const key = userKey(user);
      let log = logs.get(key);
      if (!log) {
        log = [];
        logs.set(key, log);
      }
      return admit(log, policies, performance.now());
    },
    // No other process asks.
    countHeld: async () => [],
    async open() {
      const left = await takeAllStored(database);
      await readClock(database, clock);
      const now = performance.now();
      for (const { user, ...stored } of left) logs.set(userKey(user), logOf(stored, units, clock, now));
    },
    async close() {
      await readClock(database, clock);
      const left = [...logs.entries()].map(([key, log]) => ({
        user: userOfKey(key),
        ...storedOf(log, units, clock),
      }));
      await storeLogs(database, left);
    },
  };
}
