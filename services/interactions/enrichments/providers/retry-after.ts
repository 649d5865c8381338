import { retryAfterOf } from "../../../../base/values/retry-after.ts";

/** The longest wait that a provider may ask for; a longer one is cut to it. docs/guides/enrichment.md#attempts */
export const RETRY_AFTER_MS_MAX = 10 * 60 * 1000;

/**
 * Wait that a `Retry-After` asks for: seconds, or a date of HTTP. Empty for a header that is missing, or says neither.
 * @param nowMs the time of this moment
 */
export function retryAfterMs(header: string | null, nowMs: number): { afterMs?: number } {
  const ms = retryAfterOf(header, nowMs);
  return ms === null ? {} : { afterMs: Math.min(ms, RETRY_AFTER_MS_MAX) };
}
