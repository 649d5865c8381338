import { LRUCache } from "lru-cache";
import { addAdmitted, admit, type Decision, type Log } from "../../lib/rate-limits/windows.ts";
import { longestMsOf, USERS_KEPT, userOf } from "./limiter.ts";
import { agesOf } from "./stamps.ts";
import type { Missed, Windows } from "./windows.queries.ts";

/** What a process itself has admitted of each user, and its part of the quotas for the time when nothing else is known. */
export interface LocalShare {
  /** Takes one request from the share of this process. */
  take(key: string): Decision;
  /** Puts down a request that the shared windows admitted. */
  record(key: string): void;
  /** The ages of what the shared windows do not know; they are then taken as told. */
  takeUntold(key: string): number[];
  takeAllUntold(): Missed[];
  /** What could not be told after all. `since`: when the ages were true. */
  putBack(key: string, ages: readonly number[], since: number): void;
}

/**
 * Logs in memory. What the shared windows admitted counts for the share as well, so a user who has used up a quota just
 * before an outage does not get another one from this process.
 */
export function localShare({ policies, units }: Windows, processes: () => number): LocalShare {
  const options = { max: USERS_KEPT, ttl: longestMsOf(policies), updateAgeOnGet: true };
  const admitted = new LRUCache<string, Log>(options);
  const untold = new LRUCache<string, Log>(options);

  const logOf = (logs: LRUCache<string, Log>, key: string): Log => {
    const log = logs.get(key) ?? [];
    if (log.length === 0) logs.set(key, log);
    return log;
  };

  function takeUntold(key: string): number[] {
    const log = untold.get(key);
    if (!log) return [];
    untold.delete(key);
    return agesOf(log, units, performance.now());
  }

  return {
    take(key) {
      const parts = processes();
      const shares = policies.map((policy) => ({ ...policy, quota: Math.max(1, Math.floor(policy.quota / parts)) }));
      const now = performance.now();
      const decision = admit(logOf(admitted, key), shares, now);
      if (decision.exceeded === null) addAdmitted(logOf(untold, key), policies, now);
      return decision;
    },
    record: (key) => addAdmitted(logOf(admitted, key), policies, performance.now()),
    takeUntold,
    takeAllUntold: () => [...untold.keys()].map((key) => ({ user: userOf(key), ages: takeUntold(key) })),
    putBack(key, ages, since) {
      if (ages.length === 0) return;
      const times = ages.flatMap((age) => Array<number>(units).fill(since - age / 1000));
      untold.set(key, [...times, ...(untold.get(key) ?? [])]);
    },
  };
}
