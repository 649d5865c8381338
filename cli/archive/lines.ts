import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { CommandError } from "../admin.ts";

/**
 * The lines of a compressed file, without their line breaks.
 * @throws CommandError when it cannot be read, is not compressed by gzip, or ends too early
 */
export async function* linesOf(file: string): AsyncGenerator<string> {
  const gunzip = createGunzip();
  const reading = pipeline(createReadStream(file), gunzip);
  // Whoever reads the lines hears of the same error.
  reading.catch(() => undefined);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  try {
    for await (const bytes of gunzip as AsyncIterable<Buffer>) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
    await reading;
  } catch (error) {
    throw new CommandError(`${file} ${reasonOf(error as NodeJS.ErrnoException)}`);
  } finally {
    gunzip.destroy();
  }
  if (rest !== "") yield rest;
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
