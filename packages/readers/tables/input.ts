import { closeSync, fstatSync, mkdtempSync, openSync, read, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { withProgress } from "../file-pieces.ts";
import { ReadError } from "../read-error.ts";

/** Between two pieces others get their turn. */
const PIECE_BYTES = 64 * 1024;

/** File name that stands for standard input. */
export const STANDARD_INPUT = "-";

/** The bytes of a file. It stays open, so that each reading finds the same file. */
export interface Input {
  /** As messages name it. */
  name: string;
  bytes: number;
  file: number;
  /** The first bytes, at most this number. */
  sample(bytes: number): Buffer;
  /** All bytes, read again at each call; `onBytes` gets the number of bytes read so far. */
  pieces(onBytes?: (bytes: number) => void): AsyncGenerator<Buffer>;
  close(): void;
}

/**
 * Opens a file, a pipe, or with the name "-" what is piped to the command, which is `piped`. What can be read only once
 * is copied first, because an import reads its file several times.
 * @throws ReadError when it cannot be read or is empty
 */
export async function openInput(path: string, piped?: AsyncIterable<Buffer>): Promise<Input> {
  const name = path === STANDARD_INPUT ? "standard input" : path;
  const file = path === STANDARD_INPUT ? await spool(given(piped), name) : await openFile(path);
  const bytes = fstatSync(file).size;
  if (bytes === 0) {
    closeSync(file);
    throw new ReadError(`${name} is empty: it needs a line of headings and a line for each record.`);
  }
  return {
    name,
    bytes,
    file,
    sample(most) {
      const buffer = Buffer.alloc(Math.min(most, bytes));
      return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, 0));
    },
    pieces: (onBytes) => piecesOf(file, name, onBytes),
    close: () => closeSync(file),
  };
}

function given(piped: AsyncIterable<Buffer> | undefined): AsyncIterable<Buffer> {
  if (piped) return piped;
  throw new ReadError(
    'Nothing is piped to this command: "-" reads standard input, as in "… import people - < people.csv".',
  );
}

async function openFile(path: string): Promise<number> {
  const file = opened(path);
  const stat = fstatSync(file);
  if (stat.isFile()) return file;
  try {
    if (stat.isDirectory()) throw new ReadError(`${path} is a folder: name a file in it.`);
    return await spool(bytesOf(file, "as they come"), path);
  } finally {
    closeSync(file);
  }
}

const REASONS: Record<string, (path: string) => string> = {
  ENOENT: (path) => `There is no file ${path}.`,
  EACCES: (path) => `${path} cannot be read: this user has no right to read it.`,
  EISDIR: (path) => `${path} is a folder: name a file in it.`,
};

function opened(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    throw new ReadError(REASONS[code]?.(path) ?? `${path} cannot be read: ${message}`);
  }
}

/**
 * Copies input that can be read only once. The copy loses its name as soon as it is open, so nothing is left behind
 * however this process ends, and no other process can open it.
 */
async function spool(source: AsyncIterable<Buffer | string>, name: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "contact-workspace-import-"));
  const file = openSync(join(folder, "input"), "wx+", 0o600);
  rmSync(folder, { recursive: true });
  try {
    for await (const piece of source) write(file, Buffer.from(piece));
    return file;
  } catch (error) {
    closeSync(file);
    throw new ReadError(`${name} cannot be copied to ${tmpdir()}, to be read twice: ${(error as Error).message}`);
  }
}

function write(file: number, piece: Buffer): void {
  for (let written = 0; written < piece.length; ) written += writeSync(file, piece, written);
}

async function* piecesOf(file: number, name: string, onBytes?: (bytes: number) => void): AsyncGenerator<Buffer> {
  try {
    yield* withProgress(bytesOf(file, "from the first"), onBytes);
  } catch (error) {
    throw new ReadError(`${name} cannot be read: ${(error as Error).message}`);
  }
}

const readInto = promisify(read);

/** A stream of Node would close the file when it is left. */
async function* bytesOf(file: number, which: "from the first" | "as they come"): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    const from = which === "from the first" ? position : null;
    const { bytesRead } = await readInto(file, buffer, 0, buffer.length, from);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
