import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { linesOf as linesIn } from "contact-workspace-readers/lines";
import { CommandError } from "../terminal/admin.ts";

const MIB = 1024 * 1024;
/** Nothing that is archived is as long, and 32 KiB can be unpacked into a line of 32 MiB. */
const LINE_BYTES_MAX = 32 * MIB;

/**
 * The lines of a compressed file, without their line breaks.
 * @throws CommandError when it cannot be read, is not compressed by gzip, ends too early, or has a line that no archive has
 */
export async function* linesOf(file: string): AsyncGenerator<string> {
  const gunzip = createGunzip();
  const reading = pipeline(createReadStream(file), gunzip);
  // The reader of the lines gets the same error.
  reading.catch(() => undefined);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    const pieces = withLineBreaks(gunzip as AsyncIterable<Buffer>, file);
    for await (const { bytes } of linesIn(pieces, Number.POSITIVE_INFINITY)) yield decoder.decode(bytes);
    await reading;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${file} ${reasonOf(error as NodeJS.ErrnoException)}`);
  } finally {
    gunzip.destroy();
  }
}

/** Ends at a line that is too long, instead of reading on until it ends. */
async function* withLineBreaks(pieces: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  let lineBytes = 0;
  for await (const piece of pieces) {
    const lineBreak = piece.lastIndexOf("\n");
    lineBytes = lineBreak < 0 ? lineBytes + piece.length : piece.length - lineBreak - 1;
    if (lineBytes > LINE_BYTES_MAX)
      throw new CommandError(
        `${file} has a line of more than ${LINE_BYTES_MAX / MIB} MiB: it was not made by export --all, or is damaged.`,
      );
    yield piece;
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === "ENOENT") return "is not there.";
  if (code === "EISDIR") return "is a folder: name the archive in it.";
  if (code === "EACCES") return "cannot be read: this user has no right to read it.";
  if (code === "Z_BUF_ERROR") return "is cut short: copy it again, or export anew.";
  if (code?.startsWith("Z_") || code === "ERR_ENCODING_INVALID_ENCODED_DATA")
    return "is no archive that was made by export --all, or is damaged.";
  return `cannot be read: ${message}.`;
}
