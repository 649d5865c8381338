import type { Decision, Policy } from "../../base/contract/rate-windows.ts";

/** User whose requests are counted. */
export interface User {
  workspaceId: string;
  userId: string;
}

/** Counts requests of users in the windows of the rate limits. docs/guides/limits.md#rate-limits */
export interface Limiter {
  /** Counts a request of a user under every policy, or under none when one of them refuses it. */
  countRequest(user: User): Decision | Promise<Decision>;
  /** Takes over what the last stop has left. */
  open(): Promise<void>;
  /** Leaves what still counts to the next start, or to the other processes. */
  close(): Promise<void>;
}

/**
 * Number of users that a process remembers at once. The one that has been idle for the longest time is forgotten first.
 */
export const USERS_KEPT = 100_000;

/** The key by which maps know a user. */
export function userKey({ workspaceId, userId }: User): string {
  return `${workspaceId} ${userId}`;
}

/** The user whom maps know by a key. */
export function userOfKey(key: string): User {
  const [workspaceId = "", userId = ""] = key.split(" ");
  return { workspaceId, userId };
}

/** Length of the longest window in milliseconds: an older request counts nowhere any more. */
export function longestMsOf(policies: readonly Policy[]): number {
  return Math.max(...policies.map(({ windowS }) => windowS * 1000));
}
