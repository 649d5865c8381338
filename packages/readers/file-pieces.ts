import { closeSync, createReadStream, openSync, readSync, statSync } from "node:fs";
import { ReadError } from "./read-error.ts";

/** Between two pieces others get their turn. */
const PIECE_BYTES = 64 * 1024;

/**
 * The first bytes of a file, at most `bytes`. `wanted` is the kind of file that is wanted, with its article.
 * @throws ReadError when it cannot be read
 */
export function sampleOf(name: string, bytes: number, wanted: string): Buffer {
  try {
    const file = openSync(name, "r");
    try {
      const buffer = Buffer.alloc(bytes);
      return buffer.subarray(0, readSync(file, buffer));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new ReadError(`There is no file ${name}.`);
    if (code === "EISDIR") throw new ReadError(`${name} is a folder: name ${wanted} in it.`);
    throw new ReadError(`${name} cannot be read: ${message}`);
  }
}

/** Size of a file in bytes. */
export function sizeOf(name: string): number {
  return statSync(name).size;
}

/**
 * A file piece by piece; `onBytes` hears how far it is.
 * @throws ReadError when it cannot be read to its end
 */
export async function* piecesOf(name: string, onBytes?: (bytes: number) => void): AsyncGenerator<Buffer> {
  const source = createReadStream(name, { highWaterMark: PIECE_BYTES });
  try {
    yield* withProgress(source, onBytes);
  } catch (error) {
    throw new ReadError(`${name} cannot be read: ${(error as Error).message}`);
  } finally {
    source.destroy();
  }
}

/** The pieces of a source as they come; `onBytes` hears how many bytes have been taken. */
export async function* withProgress(
  source: AsyncIterable<Buffer>,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of source) {
    yield piece;
    bytes += piece.length;
    onBytes?.(bytes);
  }
}
