import { setTimeout as pause } from "node:timers/promises";
import knex, { type Knex } from "knex";
import pg from "pg";
import { endConnection } from "../lib/database/connection.ts";
import { migrations } from "../migrations/index.ts";

/** The number of the lock under which migrations run. It may be any, as long as every release uses the same. */
const MIGRATION_LOCK = 7_205_759_403;
const LOCK_POLL_MS = 200;
/** How long a migration waits for a table. While it waits, everybody who wants the table after it has to wait too. */
const TABLE_LOCK_MS = 10_000;
/** A server that takes longer to let us in is away. */
const CONNECT_MS = 5_000;

/**
 * A migration may take hours, so nobody can say how long its connection may be silent. The one that holds the lock says at
 * short intervals that it is there, on both sides: when it falls silent, the work ends here, and the lock there.
 */
export const WATCH = { everyMs: 1_000, silenceMs: 8_000, lockMs: 15_000 };

type Migration = (typeof migrations)[number];

/**
 * Brings the database up to the newest migration and gives the names of those that it applied, in their order; none when
 * nothing was to be done. Several processes may do so at once: the first migrates, the others wait for it and find nothing to
 * do. docs/guides/running.md#migrations
 */
export async function migrate(databaseUrl: string, watch = WATCH): Promise<string[]> {
  const lockHolder = new pg.Client({ ...connection(databaseUrl), query_timeout: watch.silenceMs });
  // An error that nobody listens to would end this process. The next question on this connection tells that it is lost.
  lockHolder.on("error", () => undefined);
  const over = new AbortController();
  try {
    await lockHolder.connect();
    await lockHolder.query(`set idle_session_timeout = ${watch.lockMs}`);
    await takeLock(lockHolder);
    await refuseForeign(lockHolder);
    const lost = loss(lockHolder, watch.everyMs, over.signal);
    return await applyAll(databaseUrl, lost);
  } finally {
    over.abort();
    await endConnection(lockHolder);
  }
}

/** Migrations of the time before the first release, whose tables no later one takes over. */
const ABANDONED = ["0001-ground-floor", "0001-records"];

/**
 * Why a database with these migrations is of no use to this release: its tables are others than those that this server knows. The
 * words say what to do. Null when it may be migrated.
 */
export function foreignness(names: string[]): string | null {
  const known = new Set(migrations.map(({ name }) => name));
  const foreign = names.filter((name) => !known.has(name));
  const old = foreign.filter((name) => ABANDONED.includes(name));
  if (old.length > 0)
    return `The database was made by a version from before the first release (${old.join(", ")}), which stored records in another way. Set DATA_DIR, or DATABASE_URL, to a new and empty one. To keep the data, read it through the API of that version and write it through the API of this one.`;
  return foreign.length > 0
    ? `The database was made by a later release (${foreign.join(", ")}). Update this server to that release.`
    : null;
}

/** @throws Error that says what to do about a database that is not of this release */
async function refuseForeign(client: pg.Client): Promise<void> {
  const { rows: tables } = await client.query<{ there: boolean }>(
    "select to_regclass('migrations') is not null as there",
  );
  if (!tables[0]?.there) return;
  const { rows } = await client.query<{ name: string }>("select name from migrations order by id");
  const refusal = foreignness(rows.map(({ name }) => name));
  if (refusal !== null) throw new Error(refusal);
}

/** Aborted when a connection no longer answers. */
function loss(client: pg.Client, everyMs: number, over: AbortSignal): AbortSignal {
  const lost = new AbortController();
  const ask = async () => {
    while (!over.aborted) {
      await client.query("select 1");
      await pause(everyMs, undefined, { signal: over }).catch(() => undefined);
    }
  };
  ask().catch((error: unknown) => lost.abort(error));
  return lost.signal;
}

/**
 * Takes the lock, by asking for it again and again. A session that waited for it inside PostgreSQL would hold a snapshot, and
 * a `create index concurrently` of the migration would wait for that session.
 */
async function takeLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>("select pg_try_advisory_lock($1) as held", [MIGRATION_LOCK]);
    if (rows[0]?.held) return;
    await pause(LOCK_POLL_MS);
  }
}

async function applyAll(databaseUrl: string, lost: AbortSignal): Promise<string[]> {
  const db = openWorker(databaseUrl, lost);
  try {
    const config = { migrationSource, tableName: "migrations" };
    // Knex notes a lock of its own in a table, and a process that is killed while it migrates leaves the note there.
    // Whoever holds
    // our lock may take it out.
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
  // Knex refuses a migration that has no way back, although it is never asked to go back here.
  getMigration: ({ up }) => Promise.resolve({ up, down: noWayBack }),
};

function noWayBack(): Promise<void> {
  throw new Error("Migrations have no way back: restore a backup that was made before.");
}

/** Its connections are cut off when the lock is lost: another migrator may hold it now, and they are most likely as silent. */
function openWorker(url: string, lost: AbortSignal): Knex {
  const cutOffWhenLost = (client: pg.Client, done: (error: unknown, client: pg.Client) => void) => {
    lost.addEventListener("abort", () => client.connection.stream.destroy());
    done(lost.reason, client);
  };
  return knex({
    client: "pg",
    connection: { ...connection(url), options: `-c lock_timeout=${TABLE_LOCK_MS}` },
    // While a migration runs, Knex writes on a second connection which migrations the database has.
    pool: { min: 0, max: 2, afterCreate: cutOffWhenLost },
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
  });
}

function connection(url: string) {
  return {
    connectionString: url,
    application_name: "contact-workspace migrate",
    connectionTimeoutMillis: CONNECT_MS,
    // A worker that is cut off leaves a transaction with its locks behind.
    idle_in_transaction_session_timeout: WATCH.lockMs,
    keepAlive: true,
  };
}
