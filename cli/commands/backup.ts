import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Writable } from "node:stream";
import { noteBackup } from "../../database/last-backup.ts";
import { plainMessage } from "../../database/migrate/failure.ts";
import type { Manifest } from "../../tools/backup/manifest.ts";
import { keyPlaces, keyWarnings } from "../../tools/installation/encryption-keys.ts";
import { withDatabase } from "../../tools/installation/open-database.ts";
import { withConnection } from "../../tools/installation/own-connection.ts";
import { type Admin, CommandError } from "../../tools/terminal/admin.ts";
import { counted } from "../../tools/terminal/output.ts";
import { writeWhole } from "../../tools/terminal/whole-file.ts";
import { type Answer, answer, command, option } from "./table.ts";

interface Options {
  output?: string;
  withKey?: boolean;
  force?: boolean;
  keep?: string;
  json?: boolean;
}

/** Saves the whole database, also beside a running server. docs/guides/backups.md */
export const BACKUP = command<Options>({
  words: "backup",
  about: "save all workspaces in one file, also while the server runs",
  examples: ["backup --output backups/ --keep 14", "backup --output - > contacts.zip"],
  options: [
    option("--output <file>", "the file, or a folder for one with the time in its name; - for standard output"),
    option("--force", "overwrite the file of --output, if there is one"),
    option("--with-key", "also save the key of stored secrets, when it lies outside of the database"),
    option("--keep <number>", "of the backups in the folder keep the newest ones"),
  ],
  run: backUp,
});

async function backUp(
  admin: Admin,
  { output, force = false, withKey = false, keep, json = false }: Options,
): Promise<Answer | undefined> {
  const toPipe = output === "-" || output === "/dev/stdout";
  const file = backupFile(output, new Date());
  if (toPipe && (json || process.stdout.isTTY))
    throw new CommandError(
      "With --output - standard output is the backup: leave out --json, and send it into a file.",
      2,
    );
  const count = countOf(keep);
  if (count !== null && (toPipe || !hasOwnName(file)))
    throw new CommandError("--keep needs a folder as --output, in which each backup has its time as name.", 2);
  refuseNoData(admin);
  admin.sayWhenStopped?.("There is no backup.");

  const places = keyPlaces(admin.env);
  const { writeBackup } = await import("../../tools/backup/write.ts");
  const save = async (databaseUrl: string) => {
    const order = { databaseUrl, keyPlaces: places, withKeys: withKey };
    const saved = toPipe
      ? await writeBackup({ ...order, sink: standardOutput() })
      : await writeWhole(file, force, (sink) => writeBackup({ ...order, sink }));
    await tellServer(admin, databaseUrl, saved);
    return saved;
  };
  const manifest = await withDatabase(admin.env, save);
  for (const line of keyNotes(manifest, admin)) admin.note(line);
  if (toPipe) return undefined;
  const removed = count === null ? [] : removeOlder(file, count);
  return answer(resultOf(manifest, file, removed), inWords);
}

/**
 * Lets the server know of the backup, which is complete. It is a good one, too, for a role that may not write and for a
 * standby.
 */
async function tellServer(admin: Admin, databaseUrl: string, { createdAt }: Manifest): Promise<void> {
  try {
    await withConnection(databaseUrl, "backup", (query) => noteBackup(query, createdAt));
  } catch (error) {
    admin.note(
      `The server does not learn of this backup, because it cannot be noted in the database (${plainMessage(error)}): its metrics and "doctor" show an older one, or none.`,
    );
  }
}

/** A wrong DATA_DIR would else be a new and empty database. */
function refuseNoData({ env }: Admin): void {
  if (env.databaseUrl !== undefined || existsSync(join(env.dataDir, "postgres", "PG_VERSION"))) return;
  throw new CommandError(
    `There is no database in ${env.dataDir}: set DATA_DIR, or DATABASE_URL, as the server has it.`,
  );
}

function countOf(keep: string | undefined): number | null {
  if (keep === undefined) return null;
  if (/^[1-9]\d{0,5}$/.test(keep)) return Number(keep);
  throw new CommandError(`--keep is "${keep}". Allowed: a whole number from 1.`, 2);
}

function keyNotes({ keys }: Manifest, { env }: Admin): string[] {
  const missing = keys.filter(({ included }) => !included).map(({ id }) => id);
  if (missing.length > 0)
    return [
      `The key ${missing.join(", ")} of stored secrets is not in it (ENCRYPTION_KEYS, or encryption.key in DATA_DIR): keep a copy of it in another place, or add --with-key.`,
    ];
  if (keys.length === 0) return keyWarnings(env);
  return ["The key of stored secrets is in it: everybody who has the file can read them."];
}

interface Result {
  file: string;
  bytes: number;
  createdAt: string;
  release: string;
  postgres: string;
  workspaces: number;
  rows: number;
  keys: Manifest["keys"];
  removed: string[];
}

function resultOf({ createdAt, release, postgres, tables, keys }: Manifest, file: string, removed: string[]): Result {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const workspaces = tables.find(({ name }) => name === "workspaces")?.rows ?? 0;
  const { size: bytes } = statSync(file);
  return { file, bytes, createdAt, release, postgres, workspaces, rows, keys, removed };
}

function inWords({ file, bytes, createdAt, workspaces, rows, removed }: Result): string {
  const size = bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
  const saved = `${file}: ${counted(workspaces, "workspace")}, ${counted(rows, "row")}, ${size}, as of ${createdAt}.`;
  return [saved, ...removed.map((name) => `Removed the older ${name}.`)].join("\n");
}

/** Default name of a backup. `--keep` recognizes backups by it, and sorts them by the time in it. */
const OWN_NAME = /^contact-workspace-\d{8}T\d{6}Z\.zip$/;

/** The file for `--output`: itself, or one with a name of its own in the folder that it names, or here. */
function backupFile(output: string | undefined, now: Date): string {
  const name = `contact-workspace-${now.toISOString().replace(/[-:]|\.\d+/g, "")}.zip`;
  const target = resolve(output ?? ".");
  const isFolder = output?.endsWith("/") || statSync(target, { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? join(target, name) : target;
}

/** Standard output as it takes the bytes of a backup. */
function standardOutput(): Writable {
  const ended = () => new CommandError("The program that reads the backup has ended before all of it was there.");
  return new Writable({
    write: (bytes, _encoding, done) => void process.stdout.write(bytes, (error) => done(error ? ended() : null)),
  });
}

/**
 * Removes all but the newest `keep` backups with a name of their own from the folder of `file`, and gives their names.
 */
function removeOlder(file: string, keep: number): string[] {
  const folder = dirname(file);
  const names = readdirSync(folder).filter((name) => OWN_NAME.test(name));
  const older = names.sort().slice(0, Math.max(0, names.length - keep));
  for (const name of older) rmSync(join(folder, name));
  return older;
}

/** Whether `--keep` would find the file again. */
function hasOwnName(file: string): boolean {
  return OWN_NAME.test(basename(file));
}
