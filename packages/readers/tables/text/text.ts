import { ReadError } from "../../read-error.ts";
import type { Input } from "../input.ts";

/**
 * The text of a file, piece by piece. UTF-8 stays as bytes, because `encodingOf` has seen that it is valid, and the
 * parser takes bytes.
 * @throws ReadError when the file is not in this encoding
 */
export async function* textOf(
  input: Input,
  encoding: string,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<Buffer | string> {
  if (encoding === "utf-8") return yield* smallPieces(input.pieces(onBytes));
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const piece of input.pieces(onBytes)) yield decoder.decode(piece, { stream: true });
    yield decoder.decode();
  } catch (error) {
    throw notInEncoding(input, encoding, error);
  }
}

/**
 * The parser makes all rows of a piece at once. Larger pieces have enough rows to outlive the young generation of V8.
 */
const SMALL_BYTES = 16 * 1024;

async function* smallPieces(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of pieces)
    for (let at = 0; at < piece.length; at += SMALL_BYTES) yield piece.subarray(at, at + SMALL_BYTES);
}

/** The beginning of a file as text. */
export function beginningOf(input: Input, encoding: string, bytes: number): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(input.sample(bytes), { stream: bytes < input.bytes });
  } catch (error) {
    throw notInEncoding(input, encoding, error);
  }
}

function notInEncoding(input: Input, encoding: string, error: unknown): unknown {
  if ((error as NodeJS.ErrnoException).code !== "ERR_ENCODING_INVALID_ENCODED_DATA") return error;
  return new ReadError(
    `${input.name} is not in ${encoding}: name its encoding with --encoding, or save it anew in UTF-8.`,
  );
}
