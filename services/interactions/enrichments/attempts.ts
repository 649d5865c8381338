/** Waits after attempts that may end better another time. docs/guides/enrichment.md#attempts */
const WAITS_MS = [2_000, 10_000, 60_000];

/** Maximum number of times a provider is asked. */
export const ATTEMPTS_MAX = WAITS_MS.length + 1;

/**
 * Wait after the attempt of this number, the first is 1. At least as long as the provider asks for. Null when there is
 * no further attempt.
 */
export function waitAfter(attempt: number, afterMs = 0): number | null {
  const waitMs = WAITS_MS[attempt - 1];
  return waitMs === undefined ? null : Math.max(waitMs, afterMs);
}
