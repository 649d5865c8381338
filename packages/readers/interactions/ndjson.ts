import { type Line, linesOf } from "./lines.ts";
import type { Outcome, Read } from "./read.ts";

const MIB = 1024 * 1024;
/** docs/guides/import-interactions.md#lines-of-json */
const LINE_BYTES_MAX = 12 * MIB;

/** The values of a file that has one in each line, as JSON. docs/guides/import-interactions.md#lines-of-json */
export async function* readNdjson(pieces: AsyncIterable<Buffer>): AsyncGenerator<Read> {
  for await (const line of linesOf(pieces, LINE_BYTES_MAX)) {
    const outcome = readLine(line);
    if (outcome) yield { place: line.number, ...outcome };
  }
}

/** Null for a line of blanks. */
function readLine({ bytes, isTooLong }: Line): Outcome | null {
  if (isTooLong) return { refused: `The line has more than ${LINE_BYTES_MAX / MIB} MiB` };
  return parsed(bytes);
}

function parsed(bytes: Buffer): Outcome | null {
  let text: string;
  try {
    // The decoder drops a byte order mark.
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes).trim();
  } catch {
    return { refused: "The line is not in UTF-8" };
  }
  if (text === "") return null;
  try {
    return { json: JSON.parse(text) };
  } catch (error) {
    return { refused: `The line is not valid JSON: ${(error as Error).message.slice(0, 200)}` };
  }
}
