import { inMigration, migrateIn } from "../../database/migrate/migrate.ts";
import { migrations, readMigrations } from "../../database/migrations/index.ts";
import { testFolder } from "./folder.ts";

/** The last migration of this release. */
export const LAST_MIGRATION = migrations.at(-1)?.name ?? "";

/** Migrates a database as a release would that has these files of migrations beside ours. */
export async function migrateLater(databaseUrl: string, files: Record<string, string>): Promise<void> {
  const folder = testFolder();
  for (const [name, text] of Object.entries(files)) folder.write(name, text);
  const all = [...migrations, ...readMigrations(folder.path)];
  await inMigration(databaseUrl, new AbortController().signal, (trx) => migrateIn(trx, all));
  folder.remove();
}
