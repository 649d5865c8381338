import { Refusal } from "contact-workspace-postgres/refusal";
import type { Knex } from "knex";
import type pg from "pg";
import { release } from "../../config/release.ts";
import { distribute, isToBeDistributed } from "../citus/distribute.ts";
import { endConnection } from "../connection.ts";
import { errorCode } from "../errors.ts";
import { hasCitus } from "../has-citus.ts";
import { clientOf, openKnex } from "../knex-connections.ts";
import { type Migration, migrations } from "../migrations/index.ts";
import { openClient } from "../open-client.ts";
import type { Query } from "../query.ts";
import { schemaDifference } from "../schema/difference.ts";
import { SQLSTATE } from "../sqlstates.ts";
import { plainMessage } from "./failure.ts";
import { migrationConnection, WATCH, withLockHolder } from "./migration-lock.ts";
import {
  type AppliedMigration,
  appliedMigrations,
  isUpToDate,
  mayNotRunOn,
  missingMigrations,
} from "./migration-state.ts";
import { refuseUnfit, refuseUnprepared } from "./unfit.ts";

/** The SQLSTATEs of statements that name what is not there, or make what is there already. */
const WRONG_STATEMENT_CLASS = "42";
/** Longest wait of a migration for a table. While it waits, all later users of the table have to wait too. */
const TABLE_LOCK_MS = 10_000;

/** Takes a migration that has run, and the milliseconds that it took. It is committed with those that follow. */
export type MigrationTold = (migration: Pick<Migration, "name">, ms: number) => void;

/**
 * Brings the database up to the newest migration and gives the names of those that it applied, in their order; none
 * when nothing was to be done. Several processes may do so at once: the first migrates, the others wait for it and find
 * nothing to do. docs/guides/database.md#migrations
 *
 * A database that a later release has migrated, and on which this one may run, is left as it is.
 * docs/guides/upgrading.md#going-back
 * @throws Error that says what to do when the database, or the role, is not fit for it
 */
export async function migrate(
  databaseUrl: string,
  { watch = WATCH, told, toCitus = false }: MigrateOptions = {},
): Promise<string[]> {
  return withLockHolder(databaseUrl, watch, async ({ query, take }) => {
    await refuseUnfit(query);
    // Nearly every start finds nothing to do. It does not wait for the lock then, which a backup may hold for long.
    if (isUpToDate(await known(query)) && !(await isToBePlaced(query))) return [];
    const lost = await take("alone");
    const applied = await known(query);
    if (applied.length === 0) await refuseUnprepared(query);
    const ran = isUpToDate(applied)
      ? []
      : await inMigration(databaseUrl, lost, (trx) => migrateIn(trx, migrations, told));
    if (!(await isToBePlaced(query))) return ran;
    if (!toCitus) await refuseRows(query);
    return [...ran, ...(await placeTables(databaseUrl, lost, told))];
  });
}

export interface MigrateOptions {
  watch?: typeof WATCH;
  told?: MigrationTold | undefined;
  /** Whether the rows of a database without Citus are taken over. docs/guides/citus.md#take-over-a-database */
  toCitus?: boolean;
}

/**
 * Puts the tables of a database of Citus into their places, with their rows, and gives the names of the steps. Without
 * Citus it does nothing. The caller holds the lock of migrations alone; `lost` aborts when the caller loses it.
 */
export async function placeTables(databaseUrl: string, lost: AbortSignal, told?: MigrationTold): Promise<string[]> {
  const placed: string[] = [];
  const client = await openClient(migrationConnection(databaseUrl, { lock_timeout: TABLE_LOCK_MS }));
  lost.addEventListener("abort", () => client.connection.stream.destroy());
  try {
    const query: Query = async (sql, values) => (await client.query(sql, [...values])).rows;
    if (!(await isToBePlaced(query))) return [];
    await distribute(query, (table, ms) => {
      placed.push(`placed ${table}`);
      told?.({ name: `placed ${table}` }, ms);
    });
  } finally {
    await endConnection(client);
  }
  return placed;
}

/** Whether the database is one of Citus with tables that do not stand where they are to stand. */
async function isToBePlaced(query: Query): Promise<boolean> {
  return (await hasCitus(query)) && (await isToBeDistributed(query));
}

/**
 * A distribution that was interrupted has begun with `workspaces`. It goes on.
 * @throws Error that says what to do about a database of Citus with rows that were written before
 */
async function refuseRows(query: Query): Promise<void> {
  const hasBegun = await query("select 1 from pg_dist_partition where logicalrelid = 'workspaces'::regclass", []);
  if (hasBegun.length === 0 && (await query("select 1 from workspaces limit 1", [])).length > 0)
    throw new Refusal(
      'The database has the extension citus, and its tables are not distributed yet. End all other processes, and run "migrate --to-citus".',
    );
}

/**
 * Looks whether the database is one of this release with all its migrations, and changes nothing.
 * @throws Error that says what to do. While migrations are missing, another process may apply them, so it counts as
 *   "away"
 */
export async function refuseOutdated(databaseUrl: string, watch = WATCH): Promise<void> {
  await withLockHolder(databaseUrl, watch, async ({ query }) => {
    await refuseUnfit(query);
    const applied = await known(query);
    if (isUpToDate(applied)) {
      if (!(await isToBePlaced(query))) return;
      throw new Refusal(
        'Tables of the database are to be distributed with Citus, and MIGRATIONS is wait: run "migrate" with the role that owns the tables.',
        { code: SQLSTATE.cannotConnectNow },
      );
    }
    const [next] = missingMigrations(applied);
    throw new Refusal(
      `The database lacks migrations${next ? `, the next is ${next.name}` : ""}, and MIGRATIONS is wait: run "migrate" with the role that owns the tables.`,
      { code: SQLSTATE.cannotConnectNow },
    );
  });
}

/** @throws Error that says what to do about a database on which this release may not run */
async function known(query: Query): Promise<AppliedMigration[]> {
  const applied = await appliedMigrations(query);
  const refusal = mayNotRunOn(applied);
  if (refusal !== null) throw new Refusal(refusal);
  return applied;
}

/** Runs work in one transaction, on a connection that is cut off when the lock is lost. */
export async function inMigration<Result>(
  databaseUrl: string,
  lost: AbortSignal,
  work: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  const db = openWorker(databaseUrl, lost);
  try {
    return await db.transaction(work);
  } finally {
    await db.destroy();
  }
}

/**
 * Applies what is missing, in the transaction, and gives the names. A database that knows no checksums yet takes them
 * over.
 * @param all the migrations that there are for it: all of this release unless told otherwise
 * @throws Error when a database without checksums was made by other migrations than these
 */
export async function migrateIn(
  trx: Knex.Transaction,
  all: readonly Migration[] = migrations,
  told?: MigrationTold,
): Promise<string[]> {
  const query = queryOf(trx);
  const before = await appliedMigrations(query);
  const config = { migrationSource: sourceOf(all, told), tableName: "migrations" };
  // Knex notes a lock of its own in a table, and a process that is killed while it migrates leaves the note there. A
  // process that holds our lock may take it out.
  await trx.migrate.forceFreeMigrationsLock(config);
  const latest: Promise<[number, string[]]> = trx.migrate.latest(config);
  const [, applied] = await latest.catch((error: unknown) => {
    throw otherTables(error) ?? error;
  });
  if (before.some(({ checksum }) => checksum === null)) await refuseOthers(query);
  await note(query, all, applied);
  return applied;
}

/**
 * Message for a migration whose statements do not fit the tables: an admin has changed them, or the list of migrations.
 */
function otherTables(error: unknown): Refusal | undefined {
  const code = errorCode(error);
  if (!code?.startsWith(WRONG_STATEMENT_CLASS) || code === SQLSTATE.insufficientPrivilege) return undefined;
  return new Refusal(
    `The tables of the database are not as this server left them, so it cannot migrate them (${plainMessage(error)}). Restore a backup, or set DATABASE_URL, or DATA_DIR, to an empty database.`,
    { code, cause: error },
  );
}

/** Notes what later starts go by, of this and of other releases. Migrations without a note get one, but no release. */
async function note(query: Query, all: readonly Migration[], applied: readonly string[]): Promise<void> {
  for (const column of ["checksum", "runs_with", "release"])
    await query(`alter table migrations add column if not exists ${column} text`, []);
  await query(
    `update migrations m set checksum = known.checksum, runs_with = known.runs_with,
       release = case when m.name = any($5::text[]) then $4 end
     from unnest($1::text[], $2::text[], $3::text[]) as known (name, checksum, runs_with)
     where m.name = known.name and m.checksum is null`,
    [
      all.map(({ name }) => name),
      all.map(({ checksum }) => checksum),
      all.map(({ runsWith }) => runsWith),
      release(),
      applied,
    ],
  );
}

/**
 * A database without checksums does not record the files that made it, so its tables have to be the ones that these
 * files make.
 */
async function refuseOthers(query: Query): Promise<void> {
  const { faults } = await schemaDifference(query);
  const [first, ...more] = faults;
  if (first === undefined) return;
  throw new Refusal(
    `The database was made by an unfinished version of this server, with other tables (${first}${more.length > 0 ? `, and ${more.length} more` : ""}). Set DATA_DIR, or DATABASE_URL, to a new and empty one. To keep the data, start that version, and move it with export and import.`,
  );
}

/** A query on the connection of the transaction. */
export function queryOf(trx: Knex.Transaction): Query {
  return async <Row>(sql: string, values: readonly unknown[]) => {
    const client = await clientOf(trx);
    return (await client.query(sql, [...values])).rows as Row[];
  };
}

function sourceOf(all: readonly Migration[], told?: MigrationTold): Knex.MigrationSource<Migration> {
  return {
    getMigrations: () => Promise.resolve([...all]),
    getMigrationName: (migration) => migration.name,
    // Knex refuses a migration that has no way back, although it is never asked to go back here.
    getMigration: (migration) => Promise.resolve({ up: timed(migration, told), down: noWayBack }),
  };
}

function timed(migration: Migration, told?: MigrationTold): Migration["up"] {
  return async (knex) => {
    const begun = performance.now();
    await migration.up(knex);
    told?.(migration, performance.now() - begun);
  };
}

function noWayBack(): Promise<void> {
  throw new Error("Migrations cannot be undone: restore a backup that was made before.");
}

/**
 * Its connections are cut off when the lock is lost: another migrator may hold it now, and they are most likely as
 * silent.
 */
function openWorker(url: string, lost: AbortSignal): Knex {
  const cutOffWhenLost = (client: pg.Client, done: (error: unknown, client: pg.Client) => void) => {
    lost.addEventListener("abort", () => client.connection.stream.destroy());
    done(lost.reason, client);
  };
  return openKnex(migrationConnection(url, { lock_timeout: TABLE_LOCK_MS }), {
    pool: { min: 0, max: 1, afterCreate: cutOffWhenLost },
  });
}
