import { Refusal } from "contact-workspace-postgres/refusal";
import { type Migration, migrations } from "../migrations/index.ts";
import type { Query } from "../query.ts";

/** A migration that a database has. */
export interface AppliedMigration {
  name: string;
  /** Checksum of the files which made it; null when it was applied by a release that noted none. */
  checksum: string | null;
  /** Release that applied it; null when that release noted none, and not there in backups of such releases. */
  release?: string | null;
  /** The oldest migration that a server has to know because of this one; null, or not there: this one. */
  runsWith?: string | null;
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
  const rows = await query<Omit<AppliedMigration, "name"> & { name: string | null }>(
    "select row->>'name' as name, row->>'checksum' as checksum, row->>'release' as release, row->>'runs_with' as \"runsWith\" from (select to_jsonb(m) as row from migrations m) m order by (row->>'id')::int",
    [],
  );
  return rows.map(({ name, ...noted }) => {
    if (name !== null) return { name, ...noted };
    throw new Refusal(
      'The table "migrations" of the database belongs to another program: set DATABASE_URL to an empty database of its own.',
    );
  });
}

/** The migrations of a database, or a backup, that this release does not know, in their order. */
export function laterMigrations(applied: readonly AppliedMigration[]): AppliedMigration[] {
  return applied.filter(({ name }) => !knownMigration(name));
}

/** Later migrations as a message names them: `0022-nickname of 0.2.0, 0023-birthday of 0.2.0`. */
export function inWords(later: readonly AppliedMigration[]): string {
  return later.map(({ name, release }) => (release ? `${name} of ${release}` : name)).join(", ");
}

/**
 * Refuses work that has to know all tables, on a database that a later release has migrated.
 * @param consequence what the work would do there, and the way out, in sentences of their own
 * @throws Error with these words
 */
export async function refuseLater(query: Query, consequence: string): Promise<void> {
  const later = laterMigrations(await appliedMigrations(query));
  if (later.length > 0)
    throw new Refusal(`A later release has migrated the database (${inWords(later)}). ${consequence}`);
}

/**
 * Why this release may not run on a database with these migrations. The words say what to do. Null when it may: it
 * knows all of them, or the later ones allow it. docs/guides/upgrading.md#going-back
 */
export function mayNotRunOn(applied: readonly AppliedMigration[]): string | null {
  const later = laterMigrations(applied);
  // This release applies nothing between migrations that it does not know.
  const isComplete = missingMigrations(applied).length === 0;
  const needed = later.map(({ name, runsWith }) => runsWith ?? name).filter((name) => !knownMigration(name));
  const [oldest] = needed.sort().reverse();
  if (!isComplete || oldest !== undefined || later.length === 0) return foreignness(applied, { oldest });
  return foreignness(applied.filter(({ name }) => knownMigration(name)));
}

/**
 * Why a database, or a backup, with these migrations is not one of this release: it has tables that this server does
 * not know. The words say what to do. Null when it may be migrated.
 * @param what has them, at the beginning of a sentence
 * @param oldest the migration that a server has to know to run on it; undefined: all of them
 */
export function foreignness(
  applied: readonly AppliedMigration[],
  { what = "The database", oldest }: { what?: string; oldest?: string | undefined } = {},
): string | null {
  const later = laterMigrations(applied);
  const old = later.map(({ name }) => name).filter((name) => ABANDONED.includes(name));
  if (old.length > 0)
    return `${what} was made by a version from before the first release (${old.join(", ")}), which stored records in another way. Set DATA_DIR, or DATABASE_URL, to a new and empty one. To keep the data, read it through the API of that version and write it through the API of this one.`;
  if (later.length > 0)
    return `${what} was made by a later release (${inWords(later)}). Update this server${oldest === undefined ? " to that release" : `: the oldest release that may run on it is the one with ${oldest}`}.`;
  const edited = applied.find(({ name, checksum }) => checksum !== null && checksum !== knownMigration(name)?.checksum);
  return edited ? editedWords(knownMigration(edited.name), what) : null;
}

function knownMigration(name: string): Migration | undefined {
  return migrations.find((migration) => migration.name === name);
}

function editedWords(migration: Migration | undefined, what: string): string {
  return `${what} was made by another ${migration?.place} than the one here: a released migration was edited, so the tables are unknown. Restore the released file, and put changes into a new migration.`;
}

/** The migrations that are still to be applied. */
export function missingMigrations(applied: readonly AppliedMigration[]): Migration[] {
  const names = new Set(applied.map(({ name }) => name));
  return migrations.filter(({ name }) => !names.has(name));
}

/**
 * Whether nothing is left to be done: all migrations are applied, and their checksums noted. A database that a later
 * release has migrated is left to that one.
 */
export function isUpToDate(applied: readonly AppliedMigration[]): boolean {
  if (laterMigrations(applied).length > 0) return true;
  return missingMigrations(applied).length === 0 && applied.every(({ checksum }) => checksum !== null);
}
