import { once } from "node:events";
import type { Writable } from "node:stream";

/** Writes a text, and resolves when there is room for more: to false when nobody reads it any more, as after `| head`. */
export async function writeOut(stream: Writable, text: string): Promise<boolean> {
  if (!stream.writable) return false;
  if (stream.write(text)) return true;
  await Promise.race([once(stream, "drain"), once(stream, "close")]);
  return stream.writable;
}
