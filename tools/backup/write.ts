import { Readable, type Writable } from "node:stream";
import { Refusal } from "contact-workspace-postgres/refusal";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { release } from "../../config/release.ts";
import { endConnection } from "../../database/connection.ts";
import { migrationConnection, WATCH, withLockHolder } from "../../database/migrate/migration-lock.ts";
import { appliedMigrations, mayNotRunOn, refuseLater } from "../../database/migrate/migration-state.ts";
import { openClient } from "../../database/open-client.ts";
import type { Query } from "../../database/query.ts";
import { DIVIDED, periodsOf } from "../../engine/periods/periods.ts";
import { type KeyPlaces, readKeys } from "../../engine/secrets/keys.ts";
import { type ArchiveWriter, writeArchive } from "./archive.ts";
import { type BackupTable, MANIFEST_HEAD, type Manifest } from "./manifest.ts";
import { identifier, readSequences, type StoredTable, storedTables } from "./tables.ts";

/** The names of the files in a backup. */
export const FILES = {
  manifest: "manifest.json",
  keys: "encryption-keys.json",
  table: (name: string) => `tables/${name}.copy`,
};

/** Source and destination of a backup. */
export interface BackupOrder {
  databaseUrl: string;
  /** Takes the bytes, and is ended behind the last. */
  sink: Writable;
  keyPlaces: KeyPlaces;
  /** Whether keys that are not in the database go into the backup. */
  withKeys: boolean;
}

/**
 * Writes a backup of the database as it is at one moment, beside servers that go on writing, and gives its manifest. It
 * holds one table at a time, and none of it in memory. Migrations wait until it is done. docs/guides/backups.md
 * @throws Error that says what to do when there is nothing to back up, and what PostgreSQL or the sink throw
 */
export async function writeBackup(order: BackupOrder): Promise<Manifest> {
  return withLockHolder(order.databaseUrl, WATCH, async ({ query, take }) => {
    const lost = await take("shared");
    const applied = await appliedMigrations(query);
    const refusal = mayNotRunOn(applied);
    if (refusal !== null) throw new Refusal(refusal);
    await refuseLater(
      query,
      "A backup of this release would lack the tables that it does not know: make it with that release.",
    );
    if (applied.length === 0) throw new Refusal("The database is empty: there is nothing to back up.");
    const client = await openClient({
      // The reader of the backup may take a rest: a pipe is as slow as its other end.
      ...migrationConnection(order.databaseUrl, { idle_in_transaction_session_timeout: 0 }),
      application_name: "contact-workspace backup",
    });
    const cutOff = () => client.connection.stream.destroy();
    lost.addEventListener("abort", cutOff);
    if (lost.aborted) cutOff();
    try {
      return await inSnapshot(client, order);
    } finally {
      await endConnection(client).catch(() => undefined);
    }
  });
}

/**
 * A transaction of this kind sees the database as it is at its first query. No migration changes the tables meanwhile.
 */
async function inSnapshot(client: pg.Client, order: BackupOrder): Promise<Manifest> {
  const query: Query = async (sql, values) => (await client.query(sql, [...values])).rows;
  const createdAt = new Date();
  await client.query("begin isolation level repeatable read read only");
  const tables = await storedTables(query);
  const kept = tables.filter(({ isUnlogged }) => !isUnlogged);
  const leftOut = tables.filter(({ isUnlogged }) => isUnlogged).map(({ name }) => name);
  const keys = await readKeys(order.keyPlaces, query, { makes: false });
  const included = order.withKeys ? keys.filter(({ place }) => place !== "database") : [];
  const [server] = await query<{ version: string }>("select current_setting('server_version') as version", []);

  const archive = writeArchive(order.sink, createdAt);
  const written: BackupTable[] = [];
  for (const table of kept) written.push(await writeTable(archive, client, table));
  if (included.length > 0) {
    const secrets = included.map(({ id, secret }) => ({ id, key: secret.export().toString("base64") }));
    await archive.add(FILES.keys, () => json(secrets));
  }
  const manifest: Manifest = {
    ...MANIFEST_HEAD,
    release: release(),
    postgres: server?.version ?? "",
    createdAt: createdAt.toISOString(),
    migrations: await appliedMigrations(query),
    tables: written,
    leftOut,
    sequences: await readSequences(
      query,
      kept.map(({ name }) => name),
    ),
    periods: await numbersOfPeriods(query),
    keys: keys.map(({ id, place }) => ({ id, included: order.withKeys || place === "database" })),
  };
  await archive.add(FILES.manifest, () => json(manifest));
  await archive.end();
  return manifest;
}

async function numbersOfPeriods(query: Query): Promise<Record<string, number[]>> {
  const numbers: Record<string, number[]> = {};
  for (const divided of DIVIDED)
    numbers[divided.table] = (await periodsOf(query, divided))
      .filter(({ state }) => state === "there")
      .map(({ from }) => from);
  return numbers;
}

async function writeTable(archive: ArchiveWriter, client: pg.Client, table: StoredTable): Promise<BackupTable> {
  const { name, columns } = table;
  const copy = copyTo(
    `copy (select ${table.columns.map(identifier).join(", ")} from ${identifier(table.name)}) to stdout`,
  );
  const sha256 = await archive.add(FILES.table(name), () => client.query(copy));
  // The rows may all be there before PostgreSQL says how many they were. An answer to another query comes behind that.
  await client.query("select 1");
  return { name, columns, rows: copy.rowCount, sha256 };
}

function json(value: unknown): Readable {
  return Readable.from([Buffer.from(`${JSON.stringify(value, null, 2)}\n`)]);
}
