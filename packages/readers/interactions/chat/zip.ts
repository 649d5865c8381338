import { type Entry, openPromise, type ZipFile } from "yauzl";
import { withProgress } from "../../file-pieces.ts";
import { ReadError } from "../../read-error.ts";
import type { Source } from "../source.ts";

/** Maximum number of files in the archive of a chat. */
const ENTRIES_MAX = 100_000;
/** Years of a busy group. */
const CHAT_BYTES_MAX = 1024 * 1024 * 1024;

/**
 * The chat inside of the archive that a telephone makes of it, beside pictures and the like.
 * @throws ReadError when there is not exactly one, or it cannot be read
 */
export async function chatInZip(name: string): Promise<Source> {
  const texts = await textsIn(name);
  const [entry] = texts.length === 1 ? texts : texts.filter(({ fileName }) => /(?:^|\/)_chat\.txt$/i.test(fileName));
  if (!entry)
    throw new ReadError(
      `${name} is an archive with ${texts.length} text files, and none of them is the only chat: unpack it, and import the files in it one by one.`,
    );
  if (entry.isEncrypted() || !entry.canDecodeFileData())
    throw new ReadError(`${name} is encrypted or packed in an unusual way: unpack it, and import ${entry.fileName}.`);
  if (entry.uncompressedSize > CHAT_BYTES_MAX) throw new ReadError(`${name}: ${entry.fileName} has more than 1 GiB.`);
  return {
    name: `${name}, ${entry.fileName}`,
    bytes: entry.uncompressedSize,
    pieces: (onBytes) => piecesOf(name, entry, onBytes),
  };
}

async function textsIn(name: string): Promise<Entry[]> {
  const zip = await opened(name);
  const texts: Entry[] = [];
  let count = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      count += 1;
      if (count > ENTRIES_MAX) break;
      if (/\.txt$/i.test(entry.fileName) && !entry.fileName.startsWith("__MACOSX/")) texts.push(entry);
    }
  } catch (error) {
    throw unreadable(name, error);
  } finally {
    zip.close();
  }
  if (count > ENTRIES_MAX)
    throw new ReadError(`${name} has more than ${ENTRIES_MAX} files: it is not an export of a chat.`);
  return texts;
}

function opened(name: string): Promise<ZipFile> {
  return openPromise(name, { autoClose: false, lazyEntries: true }).catch((error) => {
    throw unreadable(name, error);
  });
}

async function* piecesOf(name: string, entry: Entry, onBytes?: (bytes: number) => void): AsyncGenerator<Buffer> {
  const zip = await opened(name);
  try {
    yield* withProgress(await zip.openReadStreamPromise(entry), onBytes);
  } catch (error) {
    throw unreadable(name, error);
  } finally {
    zip.close();
  }
}

function unreadable(name: string, error: unknown): ReadError {
  return new ReadError(
    `${name} cannot be read as an archive: ${(error as Error).message}. Unpack it, and import the files in it.`,
  );
}
