/**
 * Milliseconds that an answer asks to wait by its header `Retry-After`, which holds seconds or a date of HTTP;
 * undefined when it does not say. Proxies in front of the server may write dates.
 */
export function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const text = headers.get("Retry-After")?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
