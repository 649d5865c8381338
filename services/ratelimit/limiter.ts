import type { Decision } from "../../base/contract/rate-windows.ts";

/** User whose requests are counted. */
export interface User {
  workspaceId: string;
  userId: string;
}

/** Counts requests of users in the windows of the rate limits. docs/guides/limits.md#rate-limits */
export interface Limiter {
  /** Counts a request of a user under every policy, or under none when one of them refuses it. */
  countRequest(user: User): Decision | Promise<Decision>;
  /** Takes over the state of the last stop. */
  open?(): Promise<void>;
  /** Leaves what still counts to the next start. */
  close?(): Promise<void>;
}

/** The key by which maps know a user. */
export function userKey({ workspaceId, userId }: User): string {
  return `${workspaceId} ${userId}`;
}
