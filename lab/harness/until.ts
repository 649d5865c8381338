import { setTimeout as pause } from "node:timers/promises";

const POLL_MS = 20;

/**
 * Waits until the condition gives something other than false, null or undefined, and returns it. A throwing condition
 * counts as "not yet". Fails after `withinMs` with the condition's last error, or with `what` was awaited.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  withinMs = 30_000,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    let cause: unknown;
    try {
      const value = await condition();
      if (value !== false && value !== null && value !== undefined)
        return value as Exclude<T, false | null | undefined>;
    } catch (error) {
      cause = error;
    }
    if (Date.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`, { cause });
    await pause(POLL_MS);
  }
}
