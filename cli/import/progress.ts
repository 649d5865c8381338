import { Presets, SingleBar } from "cli-progress";
import type { Admin } from "../admin.ts";

/** Shows how far an import is, on standard error and only to somebody who sits in front of it. */
export function createProgress({ interactive }: Admin, bytes: number): { at(bytes: number): void; stop(): void } {
  if (!interactive) return { at: () => undefined, stop: () => undefined };
  const bar = new SingleBar(
    { format: "{bar} {percentage} %, {eta_formatted} left", stream: process.stderr, clearOnComplete: true },
    Presets.shades_classic,
  );
  bar.start(bytes, 0);
  return { at: (done) => bar.update(done), stop: () => bar.stop() };
}
