import { LRUCache } from "lru-cache";
import type { Caller } from "../../base/contract/caller.ts";
import { ALWAYS_SAVED_BYTES_MAX, SAVED_BYTES_OF_USER_MAX } from "../../config/limits.ts";

const HOUR_MS = 60 * 60 * 1000;
/**
 * Number of users that are remembered at once: the one that has saved nothing for the longest time is forgotten first.
 */
const USERS_KEPT = 10_000;

/** Bytes saved for a user in the hour starting at `since` and in the hour before it. */
interface Hours {
  since: number;
  bytes: number;
  before: number;
}

/**
 * Gives a function that says whether the bytes of an answer may be saved for a user, and counts them if so. The hour
 * slides: the bytes of the hour before count by the part that it still covers. Each process counts by itself.
 * docs/guides/idempotency.md#large-answers
 */
export function savedBytes() {
  const users = new LRUCache<string, Hours>({ max: USERS_KEPT });
  return ({ workspaceId, userId }: Pick<Caller, "workspaceId" | "userId">, bytes: number, now: number): boolean => {
    if (bytes <= ALWAYS_SAVED_BYTES_MAX) return true;
    const key = `${workspaceId} ${userId}`;
    const hours = users.get(key) ?? { since: now, bytes: 0, before: 0 };
    const passed = Math.floor((now - hours.since) / HOUR_MS);
    const current: Hours =
      passed === 0
        ? hours
        : { since: hours.since + passed * HOUR_MS, bytes: 0, before: passed === 1 ? hours.bytes : 0 };
    const reached = current.before * (1 - (now - current.since) / HOUR_MS);
    const fits = current.bytes + reached + bytes <= SAVED_BYTES_OF_USER_MAX;
    if (fits) current.bytes += bytes;
    users.set(key, current);
    return fits;
  };
}
