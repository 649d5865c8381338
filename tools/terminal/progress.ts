import { Presets, SingleBar } from "cli-progress";
import type { Admin } from "./admin.ts";

/** Shows the progress of a command on standard error, only at a terminal. */
export function createProgress(
  { interactive }: Admin,
  whole: number,
): {
  /** Takes how much of the whole is done: bytes of a file, or records. */
  at(done: number): void;
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
      else bar.start(whole, done);
    },
    pause: () => bar.stop(),
    stop: () => bar.stop(),
  };
}
