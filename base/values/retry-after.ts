/**
 * Wait that a `Retry-After` asks for: seconds, or a date of HTTP; 0 for a date that has passed. Null for a header that
 * is missing, or says neither.
 * @param nowMs the time of this moment
 */
export function retryAfterOf(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? "";
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
