import { setTimeout as pause } from "node:timers/promises";
import knex, { type Knex } from "knex";
import pg from "pg";
import { migrations } from "../migrations/index.ts";

/** Any number will do, as long as every release uses the same. */
const MIGRATION_LOCK = 7_205_759_403;
const LOCK_POLL_MS = 200;
/** A migration that waits longer for a table holds up everybody who wants the table after it. */
const TABLE_LOCK_MS = 10_000;

type Migration = (typeof migrations)[number];

/**
 * Brings the database up to the newest migration and returns the names of those applied, in order; none when it is there already.
 * Several processes may start at once: the first migrates, the others wait for it and find nothing to do.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const lockHolder = new pg.Client(connection(databaseUrl));
  // The server frees the lock when this connection dies; what the migration then does, its own statements report.
  lockHolder.on("error", () => undefined);
  await lockHolder.connect();
  try {
    await takeLock(lockHolder);
    return await applyAll(databaseUrl);
  } finally {
    await lockHolder.end();
  }
}

/** Asks again and again: a session that waits inside PostgreSQL holds a snapshot, for which `create index concurrently` waits in turn. */
async function takeLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>("select pg_try_advisory_lock($1) as held", [MIGRATION_LOCK]);
    if (rows[0]?.held) return;
    await pause(LOCK_POLL_MS);
  }
}

async function applyAll(databaseUrl: string): Promise<string[]> {
  const db = openWorker(databaseUrl);
  try {
    const config = { migrationSource, tableName: "migrations" };
    // Knex marks its own lock in a table, and a killed migrator leaves the mark. Whoever holds our lock may wipe it off.
    await db.migrate.forceFreeMigrationsLock(config);
    const [, applied]: [number, string[]] = await db.migrate.latest(config);
    return applied;
  } finally {
    await db.destroy();
  }
}

const migrationSource: Knex.MigrationSource<Migration> = {
  getMigrations: () => Promise.resolve([...migrations]),
  getMigrationName: (migration) => migration.name,
  // Knex refuses a migration without a way back, though it goes forward only here.
  getMigration: ({ up }) => Promise.resolve({ up, down: noWayBack }),
};

function noWayBack(): Promise<void> {
  throw new Error("Migrations have no way back: restore a backup that was made before.");
}

function openWorker(url: string): Knex {
  return knex({
    client: "pg",
    connection: { ...connection(url), options: `-c lock_timeout=${TABLE_LOCK_MS}` },
    // Knex keeps its books on a second connection while a migration runs.
    pool: { min: 0, max: 2 },
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
  });
}

function connection(url: string) {
  return { connectionString: url, application_name: "contact-workspace migrate", keepAlive: true };
}
