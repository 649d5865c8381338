import type { Decision, Policy } from "../../lib/rate-limits/windows.ts";

/** Whose requests are counted. */
export interface User {
  workspaceId: string;
  userId: string;
}

/** Keeps the rate windows of users. */
export interface Limiter {
  /** Takes one request of a user from all windows, or says why not. */
  take(user: User): Decision | Promise<Decision>;
  /** Takes over what was left at the last stop. */
  open(): Promise<void>;
  /** Leaves behind what still counts. */
  close(): Promise<void>;
}

/** Users whose requests a process remembers at once; whoever is idle longest goes first. */
export const USERS_KEPT = 100_000;

/** The key of a user in the maps of a process. */
export function keyOf({ workspaceId, userId }: User): string {
  return `${workspaceId} ${userId}`;
}

export function userOf(key: string): User {
  const [workspaceId = "", userId = ""] = key.split(" ");
  return { workspaceId, userId };
}

/** After so many milliseconds nothing of a user counts any more. */
export function longestMsOf(policies: readonly Policy[]): number {
  return Math.max(...policies.map(({ windowS }) => windowS * 1000));
}
