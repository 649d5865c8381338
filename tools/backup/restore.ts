import { pipeline } from "node:stream/promises";
import { Refusal } from "contact-workspace-postgres/refusal";
import type { Knex } from "knex";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { clientOf } from "../../database/knex-connections.ts";
import { inMigration, migrateIn, placeTables, queryOf } from "../../database/migrate/migrate.ts";
import { WATCH, withLockHolder } from "../../database/migrate/migration-lock.ts";
import { appliedMigrations, refuseLater } from "../../database/migrate/migration-state.ts";
import { refuseUnfit, refuseUnprepared } from "../../database/migrate/unfit.ts";
import { migrations } from "../../database/migrations/index.ts";
import type { Query } from "../../database/query.ts";
import { makePeriodsFor, periodsOfLog } from "../../engine/events/periods.ts";
import { DIVIDED, makePeriod, periodsOf } from "../../engine/periods/periods.ts";
import { keyIdOf } from "../../engine/secrets/cipher.ts";
import { putKeyIntoFolder } from "../../engine/secrets/key-file.ts";
import { type KeyPlaces, putKeyIntoDatabase, readKeys } from "../../engine/secrets/keys.ts";
import { storedSecrets } from "../../engine/secrets/stored-webhooks.ts";
import type { ArchiveReader } from "./archive.ts";
import type { BackupSequence, BackupTable, Manifest } from "./manifest.ts";
import type { Backup } from "./read.ts";
import { identifier, storedTables, tableWithColumns } from "./tables.ts";
import { FILES } from "./write.ts";

/** Result of a restore. */
export interface Restored {
  /** Migrations that were applied after those of the backup. */
  applied: string[];
  /** The ids of keys that are not here, and without which some of the restored secrets cannot be read. */
  unknownKeys: string[];
}

/**
 * Fills a database from a backup, in one transaction: it makes the tables as they were, loads them, and migrates on to
 * this release. Whatever happens before the end, the database is as it was. On Citus the tables are then put where they
 * are to stand; if that is interrupted, "migrate --to-citus" goes on. docs/guides/backups.md#restoring
 * @param replaces whether workspaces that are in the database may go
 * @throws Error that says what to do
 */
export async function restoreBackup(
  databaseUrl: string,
  { archive, manifest, keys }: Backup,
  { replaces, keyPlaces }: { replaces: boolean; keyPlaces: KeyPlaces },
): Promise<Restored> {
  return withLockHolder(databaseUrl, WATCH, async ({ query, take }) => {
    await refuseUnfit(query);
    await refuseLater(
      query,
      "This release cannot remove the tables that it does not know: restore into an empty database, or use that release.",
    );
    // Asked before too, since a backup that is under way holds the lock for as long as it takes.
    await refuseInUse(query);
    const lost = await take("alone");
    await refuseInUse(query);
    const isNew = (await appliedMigrations(query)).length === 0;
    const count = isNew ? 0 : await workspacesIn(query);
    if (count > 0 && !replaces)
      throw new Refusal(
        `The database has ${count} workspace${count === 1 ? "" : "s"} already: restore into an empty one, or add --replace to delete what is there.`,
      );
    if (isNew) await refuseUnprepared(query);
    const restored = await inMigration(databaseUrl, lost, async (trx) => {
      if (!isNew) await removeOurs(queryOf(trx));
      await migrateIn(trx, migrations.slice(0, manifest.migrations.length));
      await makeAllPeriods(queryOf(trx), manifest);
      await load(trx, archive, manifest.tables);
      for (const sequence of manifest.sequences) await setSequence(queryOf(trx), sequence);
      const applied = await migrateIn(trx);
      // Not those of the backup: a migration may have taken one away.
      const tables = await storedTables(queryOf(trx));
      await queryOf(trx)(`analyze ${tables.map(({ name }) => identifier(name)).join(", ")}`, []);
      await bringKey(queryOf(trx), keyPlaces, keys);
      return { applied, unknownKeys: await unknownKeys(queryOf(trx), keyPlaces) };
    });
    await placeTables(databaseUrl, lost);
    return restored;
  });
}

const LOG = "change_log";

/** Makes the partitions in which the rows of a backup stand, which are made as time passes. */
async function makeAllPeriods(query: Query, { sequences, periods = {} }: Manifest): Promise<void> {
  const log = sequences.find(({ table }) => table === LOG);
  if (log) await makePeriodsFor(query, Number(log.last));
  for (const divided of DIVIDED)
    for (const number of periods[divided.table] ?? []) await makePeriod(query, divided, number);
}

async function load(trx: Knex.Transaction, archive: ArchiveReader, tables: BackupTable[]): Promise<void> {
  const there = new Map((await storedTables(queryOf(trx))).map((table) => [table.name, table]));
  const client = await clientOf(trx);
  // Migrations make a few rows themselves.
  await client.query(`truncate ${tables.map(({ name }) => identifier(name)).join(", ")} cascade`);
  for (const table of tables) {
    const columns = there.get(table.name)?.columns ?? [];
    const unknown = table.columns.filter((column) => !columns.includes(column));
    if (unknown.length > 0)
      throw new Refusal(
        `The table ${table.name} of the backup has columns that its migrations do not make: ${unknown.join(", ")}. It was made by an unfinished version of this server; restore it with that one.`,
      );
    await loadTable(client, archive, table);
  }
}

async function loadTable(client: pg.Client, archive: ArchiveReader, table: BackupTable): Promise<void> {
  const content = await archive.stream(FILES.table(table.name));
  if (!content) throw new Refusal(`The backup has no table ${table.name}.`);
  const copy = client.query(copyFrom(`copy ${tableWithColumns(table)} from stdin`));
  await pipeline(content, copy);
  // Messages of PostgreSQL about the rows have arrived when it answers the next query.
  await client.query("select 1");
  if (copy.rowCount !== table.rows)
    throw new Refusal(
      `The table ${table.name} got ${copy.rowCount} rows instead of ${table.rows}: nothing was restored.`,
    );
}

async function setSequence(query: Query, { table, column, last, called }: BackupSequence): Promise<void> {
  await query("select setval(pg_get_serial_sequence(quote_ident($1), $2), $3::bigint, $4)", [
    table,
    column,
    last,
    called,
  ]);
}

/** Number of workspaces in a database that has our tables. */
async function workspacesIn(query: Query): Promise<number> {
  const [table] = await query<{ there: boolean }>("select to_regclass('workspaces') is not null as there", []);
  if (!table?.there) return 0;
  const [row] = await query<{ count: number }>("select count(*)::int as count from workspaces", []);
  return row?.count ?? 0;
}

/**
 * A server has data in memory, and would write it into the restored database.
 * @throws Error when a server or a command is using the database
 */
async function refuseInUse(query: Query): Promise<void> {
  const [row] = await query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
       and application_name like 'contact-workspace%' and application_name not like '% migrate'`,
    [],
  );
  if (row && row.count > 0)
    throw new Refusal("A server or a command is using this database: stop it, and then restore.");
}

/** Removes everything that the migrations created, and nothing else, so that they can create it again. */
async function removeOurs(query: Query): Promise<void> {
  const tables = (await storedTables(query)).map(({ name }) => identifier(name));
  // A killed process may have taken a period out of its table and left it.
  const periods = [await periodsOfLog(query)];
  for (const divided of DIVIDED) periods.push(await periodsOf(query, divided));
  tables.push(...periods.flat().map(({ name }) => identifier(name)));
  await query(`drop table if exists ${[...tables, "migrations", "migrations_lock"].join(", ")} cascade`, []);
  const functions = await query<{ signature: string }>(
    `select p.oid::regprocedure::text as signature from pg_proc p join pg_namespace n on n.oid = pronamespace
     where nspname = current_schema() and proname = any($1)`,
    [migrations.flatMap((migration) => migration.functions)],
  );
  for (const { signature } of functions) await query(`drop function ${signature} cascade`, []);
}

/**
 * Puts a key that a backup has brought where the installation finds it: into the folder of the embedded database, else
 * into the table `settings`. Of several the first is taken that is not known yet; where there is a key already, that
 * one stays.
 */
async function bringKey(query: Query, places: KeyPlaces, brought: { id: string; key: string }[]): Promise<void> {
  const known = new Set((await readKeys(places, query, { makes: false })).map(({ id }) => id));
  const first = brought.find(({ id }) => !known.has(id));
  if (!first) return;
  const bytes = Buffer.from(first.key, "base64");
  if (places.folder === null) await putKeyIntoDatabase(query, bytes);
  else putKeyIntoFolder(places.folder, bytes);
}

/** The ids of keys that are not here and without which a signing secret cannot be read. */
async function unknownKeys(query: Query, places: KeyPlaces): Promise<string[]> {
  const known = new Set((await readKeys(places, query, { makes: false })).map(({ id }) => id));
  const unknown = new Set<string>();
  for await (const page of storedSecrets(query))
    for (const { sealed } of page) {
      const id = keyIdOf(sealed);
      if (id !== null && !known.has(id)) unknown.add(id);
    }
  return [...unknown];
}
