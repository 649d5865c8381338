import type { Env } from "../../config/env.ts";
import { REMEDY } from "../../engine/secrets/cipher.ts";
import type { Backup } from "../../tools/backup/read.ts";
import { keyPlaces } from "../../tools/installation/encryption-keys.ts";
import { withDatabase } from "../../tools/installation/open-database.ts";
import { freeBytesFor } from "../../tools/installation/room.ts";
import { type Admin, CommandError } from "../../tools/terminal/admin.ts";
import { confirmByWord } from "../../tools/terminal/ask.ts";
import { counted } from "../../tools/terminal/output.ts";
import { type Answer, answer, argument, command, option } from "./table.ts";

const MIB = 1024 * 1024;
/** Size of a new database without any row. */
const FIRST_BYTES = 100 * MIB;
/**
 * Measured with 200,000 people: tables and indexes take 1.4 bytes for one of the backup's text, and the log of writing
 * them too.
 */
const DISK_PER_BYTE = 1.5;
/**
 * PostgreSQL takes the place of its log again from here on (max_wal_size), with some more until a checkpoint is
 * through.
 */
const LOG_BYTES_MAX = 1500 * MIB;

interface Options {
  replace?: boolean;
  yes?: boolean;
}

/** Fills an empty database from a backup. docs/guides/backups.md#restoring */
export const RESTORE = command<Options, [file: string]>({
  words: "restore",
  about: "fill an empty database from a backup, while the server is stopped",
  examples: ["restore contacts.zip", "restore contacts.cwbackup --replace"],
  args: [argument("<file>", "a backup")],
  options: [
    option("--replace", "delete the workspaces that are in the database"),
    option("--yes", "do not ask at a terminal"),
  ],
  run: restore,
});

async function restore(admin: Admin, { replace = false, yes = false }: Options, file: string): Promise<Answer> {
  const { openBackup } = await import("../../tools/backup/read.ts");
  const backup = await openBackup(file);
  try {
    if (replace && !yes)
      await confirmByWord(admin, "This permanently deletes all workspaces of the database.", "replace");
    refuseSmallDisk(admin.env, backup);
    admin.sayWhenStopped?.("The database is as it was before.");
    const { restoreBackup } = await import("../../tools/backup/restore.ts");
    const options = { replaces: replace, keyPlaces: keyPlaces(admin.env) };
    const restored = await withDatabase(admin.env, (url) => restoreBackup(url, backup, options));
    if (restored.unknownKeys.length > 0)
      admin.note(
        `Some stored secrets of webhooks cannot be read: they are encrypted with the key ${restored.unknownKeys.join(", ")}, which is not here. Now ${REMEDY}; "doctor" looks again.`,
      );
    return answer({ ...resultOf(backup), ...restored }, inWords);
  } finally {
    backup.archive.close();
  }
}

/**
 * A PostgreSQL without room for its log ends, and needs room to start again. That of DATABASE_URL has a disk that we do
 * not see.
 */
function refuseSmallDisk({ databaseUrl, dataDir }: Env, { archive }: Backup): void {
  if (databaseUrl !== undefined) return;
  const free = freeBytesFor(dataDir);
  const tables = archive.bytes * DISK_PER_BYTE;
  const needed = FIRST_BYTES + tables + Math.min(tables, LOG_BYTES_MAX);
  if (free >= needed) return;
  throw new CommandError(
    `${dataDir} has ${Math.floor(free / MIB)} MiB of free space, and this backup needs about ${Math.ceil(needed / MIB)}: free some space, or set DATA_DIR to another folder.`,
  );
}

interface Result {
  createdAt: string;
  release: string;
  workspaces: number;
  rows: number;
  applied: string[];
}

function resultOf({ manifest: { createdAt, release, tables } }: Backup): Omit<Result, "applied"> {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const workspaces = tables.find(({ name }) => name === "workspaces")?.rows ?? 0;
  return { createdAt, release, workspaces, rows };
}

function inWords({ createdAt, release, workspaces, rows, applied }: Result): string {
  const state = `${counted(workspaces, "workspace")} and ${counted(rows, "row")} as of ${createdAt}, by release ${release}`;
  return [`Restored ${state}.`, ...applied.map((name) => `Applied ${name}.`)].join("\n");
}
