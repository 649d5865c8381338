import { LRUCache } from "lru-cache";
import { admit, type Log, type Policy } from "../../base/contract/rate-windows.ts";
import type { Database } from "../../database/database.ts";
import { type Limiter, type User, userKey } from "./limiter.ts";
import { agesOf, logOf, unitsOf } from "./request-log-of-window.ts";
import { storeLogs, takeAllStored } from "./windows.queries.ts";

/**
 * Number of users that a process remembers at once. The one that has been idle for the longest time is forgotten first.
 */
const USERS_KEPT = 100_000;

/**
 * The rate windows of an installation that is one process. They are in its memory, by a clock that never steps back.
 * Between an orderly stop and the next start they lie in the database. docs/guides/growing.md#rate-windows
 */
export function memoryLimiter(database: Database, policies: readonly Policy[]): Required<Limiter> {
  // An older request counts nowhere any more.
  const longestMs = Math.max(...policies.map(({ windowS }) => windowS * 1000));
  const logs = new LRUCache<string, Log>({ max: USERS_KEPT, ttl: longestMs, updateAgeOnGet: true });
  const units = unitsOf(policies);
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
    async open() {
      const left = await takeAllStored(database);
      const now = performance.now();
      for (const { user, ages, newestUnits } of left) logs.set(userKey(user), logOf(ages, units, newestUnits, now));
    },
    async close() {
      const now = performance.now();
      const left = [...logs.entries()].map(([key, log]) => ({ user: userOfKey(key), ages: agesOf(log, units, now) }));
      await storeLogs(database, { policies, units }, left);
    },
  };
}

function userOfKey(key: string): User {
  const [workspaceId = "", userId = ""] = key.split(" ");
  return { workspaceId, userId };
}
