import { Refusal } from "contact-workspace-postgres/refusal";
import { type Migration, migrations } from "../migrations/index.ts";
import type { Query } from "../query.ts";

/** A migration that a database has. */
export interface AppliedMigration {
  name: string;
  /** Checksum of the files which made it; null when it was applied by a release that noted none. */
  checksum: string | null;
}

/** Migrations of the time before the first release, whose tables no later one takes over. */
const ABANDONED = ["0001-ground-floor", "0001-records"];

/**
 * The migrations that a database has, in their order; none when it is new.
 * @throws Error when its table `migrations` is that of another program, or of a role whose tables this one may not read
 */
export async function appliedMigrations(query: Query): Promise<AppliedMigration[]> {
  const [table] = await query<{ readable: boolean; owner: string; role: string }>(
    `select has_table_privilege(oid, 'SELECT') as readable, quote_ident(pg_get_userbyid(relowner)) as owner,
       quote_ident(current_user) as role
     from pg_class where oid = to_regclass('migrations')`,
    [],
  );
  if (!table) return [];
  if (!table.readable)
    throw new Refusal(
      `The tables of the database belong to the role ${table.owner}, and ${table.role} may not read them: set DATABASE_URL to that role, or to an empty database of its own.`,
    );
  // As JSON a column may be missing: a release before the first checksums made none, and other programs have others.
  const rows = await query<{ name: string | null; checksum: string | null }>(
    "select row->>'name' as name, row->>'checksum' as checksum from (select to_jsonb(m) as row from migrations m) m order by (row->>'id')::int",
    [],
  );
  return rows.map(({ name, checksum }) => {
    if (name !== null) return { name, checksum };
    throw new Refusal(
      'The table "migrations" of the database belongs to another program: set DATABASE_URL to an empty database of its own.',
    );
  });
}

/**
 * Why a database, or a backup, with these migrations is of no use to this release: its tables are others than those
 * that this server knows. The words say what to do. Null when it may be migrated.
 * @param what has them, at the beginning of a sentence
 */
export function foreignness(applied: readonly AppliedMigration[], what = "The database"): string | null {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const foreign = applied.map(({ name }) => name).filter((name) => !known.has(name));
  const old = foreign.filter((name) => ABANDONED.includes(name));
  if (old.length > 0)
    return `${what} was made by a version from before the first release (${old.join(", ")}), which stored records in another way. Set DATA_DIR, or DATABASE_URL, to a new and empty one. To keep the data, read it through the API of that version and write it through the API of this one.`;
  if (foreign.length > 0)
    return `${what} was made by a later release (${foreign.join(", ")}). Update this server to that release.`;
  const edited = applied.find(({ name, checksum }) => checksum !== null && checksum !== known.get(name)?.checksum);
  return edited ? editedWords(known.get(edited.name), what) : null;
}

function editedWords(migration: Migration | undefined, what: string): string {
  return `${what} was made by another ${migration?.place} than the one here: a released migration was edited, so the tables are unknown. Restore the released file, and put changes into a new migration.`;
}

/** The migrations that are still to be applied. */
export function missingMigrations(applied: readonly AppliedMigration[]): Migration[] {
  const names = new Set(applied.map(({ name }) => name));
  return migrations.filter(({ name }) => !names.has(name));
}

/** Whether nothing is left to be done: all migrations are applied, and their checksums noted. */
export function isUpToDate(applied: readonly AppliedMigration[]): boolean {
  return missingMigrations(applied).length === 0 && applied.every(({ checksum }) => checksum !== null);
}
