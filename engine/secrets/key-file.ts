import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { KEY_BYTES, type Key, keyOf } from "./key.ts";

const NAME = "encryption.key";
/** Only the user that runs the server may read it. */
const MODE = 0o600;

/**
 * The key in a folder. It lies beside the data of the embedded database, so a copy of the database alone opens nothing.
 * docs/guides/database.md#encryption
 * @param makes whether it is made when there is none: by the first process, and the others read that one
 * @throws Error that names the file, when it cannot be read or is no key
 */
export function keyInFolder(folder: string, { makes }: { makes: boolean }): Key | null {
  const file = join(folder, NAME);
  const found = readKey(file);
  if (found || !makes) return found;
  makeKey(file, randomBytes(KEY_BYTES));
  return readKey(file);
}

/** Puts a key into a folder that has none yet, and does nothing when it has one. */
export function putKeyIntoFolder(folder: string, bytes: Buffer): void {
  const file = join(folder, NAME);
  if (readKey(file) === null) makeKey(file, bytes);
}

function readKey(file: string): Key | null {
  const text = readText(file);
  if (text === null) return null;
  const bytes = Buffer.from(text.trim(), "base64");
  if (bytes.length !== KEY_BYTES)
    throw new Error(`${file} is not a key of ${KEY_BYTES} bytes in base64: restore the original file.`);
  return keyOf(bytes, "DATA_DIR");
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new Error(`${file} cannot be read (${(error as Error).message}): run as the user that it belongs to.`);
  }
}

/**
 * The key is written under another name, and gets its own when it is on the disk: a link is made only where nothing is
 * yet. So no process ever reads half a key, and if several make one, only the first counts.
 */
function makeKey(file: string, bytes: Buffer): void {
  const unfinished = `${file}.${process.pid}-${randomBytes(4).toString("hex")}`;
  try {
    const descriptor = openSync(unfinished, "wx", MODE);
    writeSync(descriptor, `${bytes.toString("base64")}\n`);
    fsyncSync(descriptor);
    closeSync(descriptor);
    linkSync(unfinished, file);
    syncFolder(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** The name of a file is on the disk when its folder is. Windows opens no folders, and does without. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}
