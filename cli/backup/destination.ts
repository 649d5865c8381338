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
import { basename, dirname, join, resolve } from "node:path";
import { Writable } from "node:stream";
import { isAlive } from "../../database/postmaster.ts";
import { CommandError } from "../admin.ts";

/** Only the user that makes a backup may read it. */
const MODE = 0o600;
/** The name that a backup has by itself: by it `--keep` knows them, and their order is that of their times. */
const OWN_NAME = /^contact-workspace-\d{8}T\d{6}Z\.zip$/;
const UNFINISHED = /\.unfinished-(\d+)$/;

/** The file for `--output`: itself, or one with a name of its own in the folder that it names, or here. */
export function backupFile(output: string | undefined, now: Date): string {
  const name = `contact-workspace-${now.toISOString().replace(/[-:]|\.\d+/g, "")}.zip`;
  const target = resolve(output ?? ".");
  const isFolder = output?.endsWith("/") || statSync(target, { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? join(target, name) : target;
}

/**
 * Lets `write` fill a file, which gets its name when all of it is on the disk: whatever happens before, there is no half one.
 * @throws CommandError that says what to do when the file cannot be written
 */
export async function writeWhole<Result>(file: string, write: (sink: Writable) => Promise<Result>): Promise<Result> {
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

/** Standard output as it takes the bytes of a backup. */
export function standardOutput(): Writable {
  const ended = () => new CommandError("The program that reads the backup has ended before all of it was there.");
  return new Writable({
    write: (bytes, _encoding, done) => void process.stdout.write(bytes, (error) => done(error ? ended() : null)),
  });
}

/** Removes all but the newest `keep` backups with a name of their own from the folder of `file`, and gives their names. */
export function removeOlder(file: string, keep: number): string[] {
  const folder = dirname(file);
  const names = readdirSync(folder).filter((name) => OWN_NAME.test(name));
  const older = names.sort().slice(0, Math.max(0, names.length - keep));
  for (const name of older) rmSync(join(folder, name));
  return older;
}

/** Whether `--keep` would find the file again. */
export function hasOwnName(file: string): boolean {
  return OWN_NAME.test(basename(file));
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
  if (code === "ENOSPC")
    return new CommandError(
      `There is no room for the backup in ${dirname(file)}: make some, or give another --output.`,
    );
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
