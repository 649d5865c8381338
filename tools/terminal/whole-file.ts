import {
  closeSync,
  createWriteStream,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Writable } from "node:stream";
import { isAlive } from "contact-workspace-postgres/postmaster";
import { CommandError } from "./admin.ts";

/** Files of commands hold data of people: only the user that runs the command may read them. */
const MODE = 0o600;
const UNFINISHED = /\.unfinished-(\d+)$/;

/**
 * Lets `write` fill a file, which gets its name when all of it is on the disk: whatever happens before, there is no
 * half one. A file of this name is replaced only with `force`. A pipe or a device takes what comes.
 * docs/guides/commands.md#files-that-commands-write
 * @throws CommandError that says what to do when the file cannot be written
 */
export async function writeWhole<Result>(
  file: string,
  force: boolean,
  write: (sink: Writable) => Promise<Result>,
): Promise<Result> {
  needPlace(file, force);
  if (isStream(file)) return write(createWriteStream(file));
  const unfinished = `${file}.unfinished-${process.pid}`;
  const remove = () => existsSync(unfinished) && rmSync(unfinished);
  // A command that is stopped by a signal ends the process.
  process.once("exit", remove);
  try {
    sweepUnfinished(dirname(file));
    const fd = openSync(unfinished, "wx", MODE);
    const result = await write(createWriteStream(unfinished, { fd, flush: true }));
    nameFile(unfinished, file, force);
    syncFolder(dirname(file));
    return result;
  } catch (error) {
    throw fileFailure(error, file) ?? error;
  } finally {
    remove();
    process.off("exit", remove);
  }
}

/** Names of streams that the process has open already. The shell may have sent them to a file. */
const OPENED = /^\/dev\/(?:stdout|stderr|fd\/\d+)$/;

/**
 * Whether this is a pipe or a device, which holds nothing that could be lost. Below /dev are files too, in /dev/shm for
 * example.
 */
function isStream(file: string): boolean {
  return OPENED.test(file) || statSync(file, { throwIfNoEntry: false })?.isFile() === false;
}

function existsAlready(file: string): CommandError {
  return new CommandError(`The file ${file} exists already: give another --output, or overwrite it with --force.`);
}

/** A link never replaces a file that another program has created in the meantime, as a renamed file would. */
function nameFile(unfinished: string, file: string, force: boolean): void {
  if (force) {
    renameSync(unfinished, file);
    return;
  }
  try {
    linkSync(unfinished, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Some file systems have no links: there the name is looked at once more.
    if (code === "EEXIST" || lstatSync(file, { throwIfNoEntry: false })) throw existsAlready(file);
    renameSync(unfinished, file);
  }
}

function needPlace(file: string, force: boolean): void {
  if (file === "") throw new CommandError("--output needs the name of a file.", 2);
  if (file.endsWith("/") || statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new CommandError(`${file} is a folder: name a file in it with --output.`);
  if (!existsSync(dirname(file)))
    throw new CommandError(`There is no folder ${dirname(file)}: make it, or give another --output.`);
  if (!force && !isStream(file) && lstatSync(file, { throwIfNoEntry: false })) throw existsAlready(file);
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
  if (code === "ENOSPC") return new CommandError(`There is no space for ${file}: free some, or give another --output.`);
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
