import { readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Writable } from "node:stream";
import { CommandError } from "../terminal/admin.ts";

/** The name that a backup has by itself: by it `--keep` knows them, and their order is that of their times. */
const OWN_NAME = /^contact-workspace-\d{8}T\d{6}Z\.zip$/;

/** The file for `--output`: itself, or one with a name of its own in the folder that it names, or here. */
export function backupFile(output: string | undefined, now: Date): string {
  const name = `contact-workspace-${now.toISOString().replace(/[-:]|\.\d+/g, "")}.zip`;
  const target = resolve(output ?? ".");
  const isFolder = output?.endsWith("/") || statSync(target, { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? join(target, name) : target;
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
