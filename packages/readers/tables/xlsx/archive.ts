import { type Entry, fromFdPromise, type ZipFile } from "yauzl";
import { withProgress } from "../../file-pieces.ts";
import { ReadError } from "../../read-error.ts";
import type { Input } from "../input.ts";

/** A workbook has a part for each sheet, picture and chart. */
const PARTS_MAX = 10_000;
/** A sheet with a million rows of twenty cells has about half of this. */
const PART_BYTES_MAX = 4 * 1024 * 1024 * 1024;

/** The parts of which an Excel file is made. */
export interface Archive {
  name: string;
  /** Size of a part when it is unpacked, undefined when there is none. */
  bytesOf(part: string): number | undefined;
  /** A part piece by piece; `onBytes` hears how far it is. */
  pieces(part: string, onBytes?: (bytes: number) => void): AsyncGenerator<Buffer>;
}

/**
 * Opens an Excel file, which is an archive of XML files.
 * @throws ReadError when it is broken
 */
export async function openArchive(input: Input): Promise<Archive> {
  const { zip, entries } = await partsOf(input);
  async function* pieces(part: string, onBytes?: (bytes: number) => void): AsyncGenerator<Buffer> {
    const entry = entries.get(part);
    if (!entry) throw broken(input, `it has no part ${part}`);
    if (entry.uncompressedSize > PART_BYTES_MAX) throw broken(input, `${part} has more than 4 GiB`);
    try {
      yield* withProgress(await zip.openReadStreamPromise(entry), onBytes);
    } catch (error) {
      throw error instanceof ReadError ? error : broken(input, (error as Error).message);
    }
  }
  return { name: input.name, bytesOf: (part) => entries.get(part)?.uncompressedSize, pieces };
}

async function partsOf(input: Input): Promise<{ zip: ZipFile; entries: Map<string, Entry> }> {
  const entries = new Map<string, Entry>();
  try {
    const zip = await fromFdPromise(input.file, { autoClose: false, lazyEntries: true });
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) throw new Error("it has a password");
      entries.set(entry.fileName, entry);
      if (entries.size > PARTS_MAX) throw new Error(`it has more than ${PARTS_MAX} parts`);
    }
    return { zip, entries };
  } catch (error) {
    throw broken(input, (error as Error).message);
  }
}

/** Error for a file that is not a workbook, or is a broken one. */
export function broken({ name }: { name: string }, why: string): ReadError {
  return new ReadError(
    `${name} cannot be read as an Excel file: ${why.replace(/\.+$/, "")}. Save it again as .xlsx, or as CSV.`,
  );
}
