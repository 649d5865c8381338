import type { Command } from "commander";
import type { Backup } from "../../database/backup/read.ts";
import { REMEDY } from "../../lib/secrets/cipher.ts";
import type { Admin } from "../admin.ts";
import { confirmByWord } from "../ask.ts";
import { withDatabase } from "../database-url.ts";
import { keyPlaces } from "../encryption-keys.ts";
import { counted, show } from "./output.ts";

interface Options {
  replace?: boolean;
  yes?: boolean;
  json?: boolean;
}

/** Adds `restore`, which fills an empty database from a backup. docs/guides/backups.md#restoring */
export function addRestore(program: Command, admin: Admin): void {
  program
    .command("restore")
    .description("fill an empty database from a file of backup; the server is stopped meanwhile")
    .argument("<file>", "a backup")
    .option("--replace", "delete the workspaces that are in the database")
    .option("--yes", "do not ask at a terminal")
    .option("--json", "print JSON")
    .action((file: string, options: Options) => restore(admin, file, options));
}

async function restore(
  admin: Admin,
  file: string,
  { replace = false, yes = false, json = false }: Options,
): Promise<void> {
  const { openBackup } = await import("../../database/backup/read.ts");
  const backup = await openBackup(file);
  try {
    if (replace && !yes)
      await confirmByWord(admin, "This deletes all workspaces of the database, for ever.", "replace");
    const { restoreBackup } = await import("../../database/backup/restore.ts");
    const options = { replaces: replace, keyPlaces: keyPlaces(admin.env) };
    const restored = await withDatabase(admin.env, (url) => restoreBackup(url, backup, options));
    show(admin, { json }, { ...resultOf(backup), ...restored }, inWords);
    if (restored.unknownKeys.length > 0)
      admin.note(
        `Some stored secrets of webhooks cannot be read: they are encrypted with the key ${restored.unknownKeys.join(", ")}, which is not here. Now ${REMEDY}; "doctor" looks again.`,
      );
  } finally {
    backup.archive.close();
  }
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
