import { Presets, SingleBar } from "cli-progress";
import type { Admin } from "../terminal/admin.ts";

/** Shows the progress of an import on standard error, only at a terminal. */
export function createProgress(
  { interactive }: Admin,
  bytes: number,
): {
  at(bytes: number): void;
  /** Takes the bar away, so that something else can be shown, until there is more progress. */
  pause(): void;
  stop(): void;
} {
  if (!interactive) return { at: () => undefined, pause: () => undefined, stop: () => undefined };
  const bar = new SingleBar(
    { format: "{bar} {percentage} %, {eta_formatted} left", stream: process.stderr, clearOnComplete: true },
    Presets.shades_classic,
  );
  return {
    at(done) {
      if (bar.isActive) bar.update(done);
      else bar.start(bytes, done);
    },
    pause: () => bar.stop(),
    stop: () => bar.stop(),
  };
}
