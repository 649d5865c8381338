import { LRUCache } from "lru-cache";
import { addAdmitted, admit, type Decision, type Log } from "../../base/contract/rate-windows.ts";
import { longestMsOf, USERS_KEPT, userOfKey } from "./limiter.ts";
import { agesOf } from "./stamps.ts";
import type { Missed, Windows } from "./windows.queries.ts";

/**
 * Requests of each user that a process has admitted, and its share of the quotas, which it may admit while the windows
 * in the database do not answer. docs/guides/growing.md#rate-windows
 */
export interface LocalShare {
  /** Counts a request against the share of this process, or refuses it. */
  countRequest(key: string): Decision;
  /** Notes a request that the windows in the database have admitted. */
  record(key: string): void;
  /**
   * The ages, in microseconds, of the requests of a user that the database does not know of. They count as told from then
   * on.
   */
  takeUntold(key: string): number[];
  /** The same for all users. */
  takeAllUntold(): Missed[];
  /**
   * Takes back requests that could not be reported after all.
   * @param since when the ages were true, in milliseconds of performance.now()
   */
  putBack(key: string, ages: readonly number[], since: number): void;
}

/**
 * Keeps the logs in memory. What the windows in the database have admitted counts for the share as well, so a user who has
 * used up a quota just before an outage gets no other one from this process.
 * @param processes how many processes divide the quotas
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
    countRequest(key) {
      const parts = processes();
      const shares = policies.map((policy) => ({ ...policy, quota: Math.max(1, Math.floor(policy.quota / parts)) }));
      const now = performance.now();
      const decision = admit(logOf(admitted, key), shares, now);
      if (decision.exceeded === null) addAdmitted(logOf(untold, key), policies, now);
      return decision;
    },
    record: (key) => addAdmitted(logOf(admitted, key), policies, performance.now()),
    takeUntold,
    takeAllUntold: () => [...untold.keys()].map((key) => ({ user: userOfKey(key), ages: takeUntold(key) })),
    putBack(key, ages, since) {
      if (ages.length === 0) return;
      const times = ages.flatMap((age) => Array<number>(units).fill(since - age / 1000));
      untold.set(key, [...times, ...(untold.get(key) ?? [])]);
    },
  };
}
