import { Parser } from "htmlparser2";
import { type Archive, broken } from "./archive.ts";

/** Hears of the elements of a part, in their order. Names come without the prefix of their namespace. */
export interface Listener {
  open?(name: string, attributes: Record<string, string>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** No text of a cell is longer than 32,767 characters. A part that goes on without an element is an attack. */
const BETWEEN_ELEMENTS_MAX = 4 * 1024 * 1024;
/** Elements stand a handful deep in each other. */
const DEPTH_MAX = 100;

/**
 * Reads a part of an Excel file and tells the listener. Yields after each piece, so that what the listener has gathered
 * of it can be taken, and memory stays the same however long the part is.
 * @throws ReadError when the part is broken
 */
export async function* listen(
  archive: Archive,
  part: string,
  listener: Listener,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<void> {
  let since = 0;
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        since = 0;
        depth += 1;
        if (depth > DEPTH_MAX) throw broken(archive, `${part} has elements that stand too deep in each other`);
        listener.open?.(plain(name), attributes);
      },
      ontext: (text) => listener.text?.(text),
      onclosetag(name) {
        since = 0;
        depth -= 1;
        listener.close?.(plain(name));
      },
    },
    { xmlMode: true },
  );
  const decoder = new TextDecoder("utf-8");
  for await (const piece of archive.pieces(part, onBytes)) {
    since += piece.length;
    parser.write(decoder.decode(piece, { stream: true }));
    if (since > BETWEEN_ELEMENTS_MAX) throw broken(archive, `${part} has a text that no cell can hold`);
    yield;
  }
  parser.end(decoder.decode());
  yield;
}

/** Reads a small part as a whole. */
export async function hearAll(archive: Archive, part: string, listener: Listener, bytesMax: number): Promise<void> {
  if ((archive.bytesOf(part) ?? 0) > bytesMax)
    throw broken(archive, `${part} has more than ${bytesMax / 1024 / 1024} MiB`);
  for await (const _piece of listen(archive, part, listener)) {
    // The listener has all that counts.
  }
}

function plain(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
