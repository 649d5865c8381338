import { once } from "node:events";
import type { Writable } from "node:stream";

/** `1 user`, `2 users`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Rows under headings, as a text whose columns are as wide as their longest cell. Null is shown as `-`. */
export function table(headings: string[], rows: (string | null)[][]): string {
  const lines = [headings, ...rows.map((row) => row.map((cell) => cell ?? "-"))];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/**
 * Writes a text or bytes. Resolves to true when there is room for more, and to false when the reader has gone, as after
 * `| head`.
 */
export async function writeOut(stream: Writable, part: string | Uint8Array): Promise<boolean> {
  if (!stream.writable) return false;
  if (stream.write(part)) return true;
  const waiting = new AbortController();
  const happened = ["drain", "close"].map((event) => once(stream, event, { signal: waiting.signal }));
  // An error closes the stream, and its opener gets it.
  await Promise.race(happened).catch(() => undefined);
  waiting.abort();
  await Promise.allSettled(happened);
  return stream.writable;
}
