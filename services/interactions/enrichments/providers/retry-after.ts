/** The longest wait that a provider may ask for; a longer one is cut to it. docs/guides/enrichment.md#attempts */
export const RETRY_AFTER_MS_MAX = 10 * 60 * 1000;

/**
 * How long a `Retry-After` asks to wait: seconds, or a date of HTTP. Nothing for a header that is not there, or says neither.
 * @param nowMs the time of this moment
 */
export function retryAfterMs(header: string | null, nowMs: number): { afterMs?: number } {
  const text = header?.trim() ?? "";
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? {} : { afterMs: Math.min(Math.max(0, ms), RETRY_AFTER_MS_MAX) };
}
