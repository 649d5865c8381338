import {
  closeSync,
  createWriteStream,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Writable } from "node:stream";
import { isAlive } from "../database/postmaster.ts";
import { CommandError } from "./admin.ts";

/** What commands write holds data of people: only the user that runs them may read it. */
const MODE = 0o600;
const UNFINISHED = /\.unfinished-(\d+)$/;

/**
 * Lets `write` fill a file, which gets its name when all of it is on the disk: whatever happens before, there is no half one.
 * @throws CommandError that says what to do when the file cannot be written
 */
export async function writeWhole<Result>(file: string, write: (sink: Writable) => Promise<Result>): Promise<Result> {
  needPlace(file);
  const unfinished = `${file}.unfinished-${process.pid}`;
  const remove = () => existsSync(unfinished) && rmSync(unfinished);
  // A command that is stopped by a signal ends the process.
  process.once("exit", remove);
  try {
    sweepUnfinished(dirname(file));
    const fd = openSync(unfinished, "wx", MODE);
    const result = await write(createWriteStream(unfinished, { fd, flush: true }));
    renameSync(unfinished, file);
    syncFolder(dirname(file));
    return result;
  } catch (error) {
    throw fileFailure(error, file) ?? error;
  } finally {
    remove();
    process.off("exit", remove);
  }
}

function needPlace(file: string): void {
  if (file === "") throw new CommandError("--output wants the name of a file.", 2);
  if (file.endsWith("/") || statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new CommandError(`${file} is a folder: name a file in it with --output.`);
  if (!existsSync(dirname(file)))
    throw new CommandError(`There is no folder ${dirname(file)}: make it, or give another --output.`);
}

/** Removes what commands have left behind that were killed. */
function sweepUnfinished(folder: string): void {
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
  for (const name of names) {
    const pid = UNFINISHED.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

function fileFailure(error: unknown, file: string): CommandError | undefined {
  const { code, message, path } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC") return new CommandError(`There is no room for ${file}: make some, or give another --output.`);
  if (path?.startsWith(file) !== true) return undefined;
  return new CommandError(`${file} cannot be written (${message.split(",")[0]}): give another --output.`);
}

/** The name of a file is on the disk when its folder is. Windows opens no folders, and does without. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}
