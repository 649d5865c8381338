import { createHash, type Hash } from "node:crypto";
import { Readable, Transform, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Refusal } from "contact-workspace-postgres/refusal";
import { type Entry, openPromise, type ZipFile as Reading } from "yauzl";
import { ZipFile } from "yazl";

/** Only the user that made a backup may read it, also when it is unpacked: it holds personal data. */
const MODE = 0o100_600;
const JSON_BYTES_MAX = 64 * 1024 * 1024;

/**
 * A ZIP that is written as its files come, into a file or a pipe. Its table of contents stands at its end: a cut one
 * has none.
 */
export interface ArchiveWriter {
  /** Writes a file, and gives the SHA-256 of its content in hexadecimal when all of it was taken. */
  add(name: string, content: () => Readable): Promise<string>;
  /** Writes the table of contents, and returns when everything is written. */
  end(): Promise<void>;
}

/** Begins an archive on `sink`, which is ended with it. */
export function writeArchive(sink: Writable, at: Date): ArchiveWriter {
  const zip = new ZipFile();
  const written = pipeline(zip.outputStream as Readable, sink);
  const failed = new Promise<never>((_, reject) => {
    written.catch(reject);
    zip.on("error", reject);
  });
  failed.catch(() => undefined);

  async function add(name: string, content: () => Readable): Promise<string> {
    const hash = createHash("sha256");
    const taken = new Promise<void>((resolve, reject) => {
      zip.addReadStreamLazy(name, { mtime: at, mode: MODE }, (give) => {
        const hashed = throughHash(hash);
        pipeline(content(), hashed).then(resolve, reject);
        give(null, hashed);
      });
    });
    await Promise.race([taken, failed]);
    return hash.digest("hex");
  }

  async function end(): Promise<void> {
    zip.end();
    await Promise.race([written, failed]);
  }

  return { add, end };
}

function throughHash(hash: Hash): Transform {
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      hash.update(bytes);
      done(null, bytes);
    },
  });
}

/** A ZIP whose table of contents was read. */
export interface ArchiveReader {
  /** Size of all its files when they are unpacked. */
  bytes: number;
  /** The content of a file in it; undefined when there is none of this name. */
  stream(name: string): Promise<Readable | undefined>;
  /** The text of a small file; undefined when there is none of this name. */
  text(name: string): Promise<string | undefined>;
  /** SHA-256 of a file in hexadecimal; undefined when there is none of this name. */
  sha256(name: string): Promise<string | undefined>;
  close(): void;
}

/** @throws Error that says what to do when the file is not there, is no archive or was cut */
export async function openArchive(file: string): Promise<ArchiveReader> {
  const zip = await openPromise(file, { autoClose: false, lazyEntries: true }).catch((error: Error) => {
    throw unreadable(file, error);
  });
  const entries = await entriesOf(zip, file);

  async function stream(name: string): Promise<Readable | undefined> {
    const entry = entries.get(name);
    if (!entry) return undefined;
    const content: Readable = await zip.openReadStreamPromise(entry).catch((error: Error) => {
      throw unreadable(file, error);
    });
    return content;
  }

  async function text(name: string): Promise<string | undefined> {
    if ((entries.get(name)?.uncompressedSize ?? 0) > JSON_BYTES_MAX)
      throw unreadable(file, new Error(`${name} is too large`));
    const pieces: Buffer[] = [];
    for await (const piece of (await stream(name)) ?? Readable.from([])) pieces.push(piece);
    return entries.has(name) ? Buffer.concat(pieces).toString() : undefined;
  }

  async function sha256(name: string): Promise<string | undefined> {
    const content = await stream(name);
    if (!content) return undefined;
    const hash = createHash("sha256");
    try {
      for await (const piece of content) hash.update(piece as Buffer);
    } catch (error) {
      throw unreadable(file, error as Error);
    }
    return hash.digest("hex");
  }

  const bytes = [...entries.values()].reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  return { bytes, stream, text, sha256, close: () => zip.close() };
}

async function entriesOf(zip: Reading, file: string): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  } catch (error) {
    zip.close();
    throw unreadable(file, error as Error);
  }
  return entries;
}

function unreadable(file: string, error: Error): Error {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return new Refusal(`There is no file ${file}.`);
  return new Refusal(
    `${file} is not a backup, or not a whole one (${error.message}): copy it again, or use another one.`,
  );
}
