import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Knex } from "knex";

/** The line of a migration that names the oldest migration that a server has to know. docs/additions.md#add-a-migration */
const RUNS_WITH = /^-- Runs with: (\S+)$/m;

/** A folder of chapters, which run in the order of their names, or a single file. */
const MIGRATION = /^(\d{4}-[a-z0-9-]+)(\.sql)?$/;

export interface Migration {
  /** Name in the table `migrations` of the database, without ".sql". */
  name: string;
  /** Path, from the folder `database`. */
  place: string;
  /** SHA-256 of its files with their names, in hexadecimal. A line may end as it does on Windows. */
  checksum: string;
  /**
   * The oldest migration that a server has to know so that it may run on the database after this one. Null: this one.
   * docs/guides/upgrading.md#going-back
   */
  runsWith: string | null;
  tables: string[];
  /** The functions that it makes, or makes anew. */
  functions: string[];
  up(knex: Knex): Promise<void>;
}

/** The migrations of a folder in the order of their numbers. A file of another name is no migration. */
export function readMigrations(folder: string): Migration[] {
  return readdirSync(folder)
    .sort()
    .flatMap((entry) => {
      const [, name] = MIGRATION.exec(entry) ?? [];
      if (name === undefined) return [];
      const files = filesOf(folder, entry);
      const up = (knex: Knex) => run(knex, files);
      return [{ name, place: `${basename(folder)}/${entry}`, checksum: checksumOf(files), ...readFrom(files), up }];
    });
}

function checksumOf(files: string[]): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${basename(file)}\n${readSql(file)}\0`);
  return hash.digest("hex");
}

function readFrom(files: string[]): Pick<Migration, "runsWith" | "tables" | "functions"> {
  const sql = files.map(readSql).join("\n");
  const names = (statement: RegExp) => [...sql.matchAll(statement)].map(([, name = ""]) => name);
  return {
    runsWith: RUNS_WITH.exec(sql)?.[1] ?? null,
    tables: names(/^create (?:unlogged )?table (\w+)/gim),
    functions: names(/^create (?:or replace )?function (\w+)/gim),
  };
}

function readSql(file: string): string {
  return readFileSync(file, "utf8").replaceAll("\r\n", "\n");
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
    await knex.raw(readSql(file).replaceAll("?", "\\?"));
  }
}

/**
 * All migrations. They are only added to, never changed once released: checksums.json lists the released ones, and a database keeps
 * the checksums of those that made it.
 */
export const migrations = readMigrations(import.meta.dirname);
