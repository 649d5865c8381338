import type { Decision } from "../../base/contract/rate-windows.ts";

/** User whose requests are counted. */
export interface User {
  workspaceId: string;
  userId: string;
}

/** Counts requests of users in the windows of the rate limits. docs/guides/limits.md#rate-limits */
export interface Limiter {
  /**
   * Counts a request of a user under every policy, or under none when one of them refuses it.
   * @throws ApiError 503, or the error of the database, when it cannot be counted
   */
  countRequest(user: User): Decision | Promise<Decision>;
  /**
   * Counts `count` requests of a user for another process, one after the other. Null stands for those that were not
   * counted, because this process does not hold the user, or has lost the user meanwhile.
   */
  countHeld(user: User, count: number): Promise<(Decision | null)[]>;
  /** Takes over the state of the last stop. */
  open(): Promise<void>;
  /** Leaves what still counts to other processes and to the next start. */
  close(): Promise<void>;
}

/** The key by which maps know a user. */
export function userKey({ workspaceId, userId }: User): string {
  return `${workspaceId} ${userId}`;
}

/** The user of a key that `userKey` has made. */
export function userOfKey(key: string): User {
  const [workspaceId = "", userId = ""] = key.split(" ");
  return { workspaceId, userId };
}
