import { once } from "node:events";
import type { Writable } from "node:stream";

/** Writes a text or bytes, and resolves when there is room for more: to false when nobody reads it any more, as after `| head`. */
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
