import { retryAfterOf } from "../../../base/values/retry-after.ts";
import { WEBHOOK_RETRY_AFTER_MS_MAX } from "../../../config/limits.ts";
import type { Outcome } from "./attempt.ts";

/** By how much a wait is shorter or longer at most, so that those that failed together do not all come back together. */
const JITTER = 0.1;

/** Facts about an attempt that has ended. */
interface Ended {
  outcome: Pick<Outcome, "responseStatus" | "retryAfter">;
  /** Number of attempts before it. */
  attempts: number;
  /** The time of the database. */
  nowMs: number;
  /** From 0 to 1. */
  random: number;
}

/** Next state of a delivery after an attempt. */
export type Next = { status: "succeeded" | "failed"; waitMs: null } | { status: "pending"; waitMs: number };

/** Whether a status says that the receiver has taken the event. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/**
 * Whether and when a delivery is attempted again. docs/guides/webhook-deliveries.md#retries
 * @param waitsS the waits after the first attempts, in seconds
 */
export function nextAfter({ outcome, attempts, nowMs, random }: Ended, waitsS: readonly number[]): Next {
  const { responseStatus, retryAfter } = outcome;
  if (isSuccess(responseStatus)) return { status: "succeeded", waitMs: null };
  const waitS = waitsS[attempts];
  if (waitS === undefined || responseStatus === 410) return { status: "failed", waitMs: null };
  const waitMs = waitS * 1000 * (1 - JITTER + 2 * JITTER * random);
  const askedMs = Math.min(retryAfterOf(retryAfter, nowMs) ?? 0, WEBHOOK_RETRY_AFTER_MS_MAX);
  return { status: "pending", waitMs: Math.max(waitMs, askedMs) };
}
