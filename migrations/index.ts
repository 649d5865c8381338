import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Knex } from "knex";

/** A folder of chapters, which run in the order of their names, or a single file. */
const MIGRATION = /^(\d{4}-[a-z0-9-]+)(\.sql)?$/;

interface Migration {
  /** As it stands in the table `migrations` of the database: without ".sql". */
  name: string;
  up(knex: Knex): Promise<void>;
}

/** The migrations of a folder in the order of their numbers. A file of another name is no migration. */
export function readMigrations(folder: string): Migration[] {
  return readdirSync(folder)
    .sort()
    .flatMap((entry) => {
      const [, name] = MIGRATION.exec(entry) ?? [];
      return name === undefined ? [] : [{ name, up: (knex) => run(knex, filesOf(folder, entry)) }];
    });
}

function filesOf(folder: string, entry: string): string[] {
  const path = join(folder, entry);
  if (entry.endsWith(".sql")) return [path];
  return readdirSync(path)
    .sort()
    .map((chapter) => join(path, chapter));
}

async function run(knex: Knex, files: string[]): Promise<void> {
  for (const file of files) {
    // Knex takes a question mark for the place of a value, even in a comment.
    await knex.raw(readFileSync(file, "utf8").replaceAll("?", "\\?"));
  }
}

/** All migrations. They are only added to, never changed once released. */
export const migrations = readMigrations(import.meta.dirname);
