import { showGauge } from "../base/budgets/gauges.ts";
import { guardLoop } from "../base/loop/guard.ts";
import type { Log } from "../bus/logger.ts";

/** Logs who held the event loop for longer than this, and shows the longest time. docs/guides/running.md#who-held-the-event-loop */
export function logHolders(limitMs: number, log: Log): void {
  const guard = guardLoop(limitMs, ({ ms, longestMs, ...holder }) =>
    log("warn", "process", ["The event loop was held", { ms: rounded(ms), longestMs: rounded(longestMs), ...holder }]),
  );
  showGauge("contact_workspace_event_loop_turn_max_seconds", {}, () => guard.takeMaxMs() / 1000);
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
