import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdirSync, realpathSync, rmSync, statfsSync, statSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { findBinaries, program } from "./binaries.ts";
import { isCluster, makeCluster, SUPERUSER } from "./cluster.ts";
import { ensurePostmaster, type Launch } from "./launch.ts";
import { isAlive, type Postmaster } from "./postmaster.ts";
import { Refusal } from "./refusal.ts";
import { accountName, commandAs, serverUser } from "./server-user.ts";

const DATABASE = "contact_workspace";
const MAINTENANCE_DATABASE = "postgres";
const STOP_APPLICATION = "contact-workspace stop";
const LEASE_APPLICATION = "contact-workspace lease";
const MIB = 1024 * 1024;
const FIRST_BYTES_LEAST = 200 * MIB;
const JOIN_MS_MAX = 60_000;
const STOP_MS_MAX = 15_000;
const POLL_MS = 10;
const REVIVE_PAUSE_MS = 1_000;
/**
 * The SQLSTATEs of a `create database` that another process is just running too: the database is there (42P04), its
 * name is (23505), or `template1`, which is copied, is in use (55006).
 */
const MADE_BY_ANOTHER = ["42P04", "23505", "55006"];
/**
 * Codes of a server that starts, stops, is overloaded or has gone. Without a code, pg tells that a connection was cut.
 */
const AWAY = /^(08|53|58|57P0[123]|ECONN|EPIPE|ENOENT)/;

export interface EmbeddedDatabase {
  url: string;
  /** Whether this call has made the database, which is empty then. */
  fresh: boolean;
  /** Stops the server, unless another client, for example a second process on the same folder, still uses it. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that npm installed on the data in `dataDir`, or joins one that any process runs there already.
 * As long as this process lives, a server that dies is started again. docs/guides/database.md#embedded-or-your-own
 * @param options `durable: false` is for tests: the server is faster, and a crash may lose data
 * @throws Error that says what to do when the folder or PostgreSQL cannot be used
 */
export async function startEmbedded(dataDir: string, options: { durable?: boolean } = {}): Promise<EmbeddedDatabase> {
  forgetVariables();
  makeDataDir(dataDir);
  // PostgreSQL knows its folder by the real path, so links are resolved.
  const cluster = join(realpathSync(resolve(dataDir)), "postgres");
  refuseForeignCluster(cluster);
  const user = serverUser(cluster);
  const launch: Launch = { cluster, user, binaries: await findBinaries(user), durable: options.durable ?? true };
  const isThere = isCluster(cluster);
  if (!isThere) refuseFullDisk(dataDir);
  const fresh = !isThere && (await makeCluster(cluster, launch));

  let stopping = false;
  let reviving: Promise<void> | undefined;
  let { postmaster, lease } = await joinServer();

  /**
   * Finds or starts the server and takes a lease on it. The process that has used it until now may be stopping it at
   * this moment, so this tries again for a while.
   */
  async function joinServer(): Promise<{ postmaster: Postmaster; lease: pg.Client }> {
    const deadline = Date.now() + JOIN_MS_MAX;
    for (;;) {
      const found = await ensurePostmaster(launch);
      try {
        await createDatabase(found);
        return { postmaster: found, lease: await takeLease(found) };
      } catch (error) {
        if (!isAway(error) || Date.now() > deadline) {
          await stopUnlessUsed(launch, found);
          throw error;
        }
        await pause(POLL_MS);
      }
    }
  }

  /**
   * A lease is an open connection. It tells other processes that this one needs the server, and this one when the
   * server dies.
   */
  async function takeLease(found: Postmaster): Promise<pg.Client> {
    const client = await connect(found, MAINTENANCE_DATABASE, LEASE_APPLICATION);
    client.once("end", () => {
      if (!stopping) reviving = revive();
    });
    return client;
  }

  async function revive(): Promise<void> {
    // Without its data there is nothing to revive, and an empty database in its place would be worse.
    while (!stopping && isCluster(cluster)) {
      try {
        ({ postmaster, lease } = await joinServer());
        return;
      } catch {
        await pause(REVIVE_PAUSE_MS, undefined, { ref: false });
      }
    }
  }

  async function stop(): Promise<void> {
    stopping = true;
    await reviving;
    await lease.end();
    await stopUnlessUsed(launch, postmaster);
  }

  return { url: urlOf(postmaster, DATABASE), fresh, stop };
}

/**
 * Takes away what the environment says to the clients of PostgreSQL and to itself, PGSSLMODE, PGOPTIONS and PGDATA
 * among it. It is meant for another database, and pg reads it for each of its connections where the URL is silent.
 * docs/guides/database.md#embedded-or-your-own
 */
function forgetVariables(): void {
  for (const name of Object.keys(process.env)) if (/^PG[A-Z]/.test(name)) delete process.env[name];
}

function makeDataDir(dataDir: string): void {
  try {
    makeFolders(resolve(dataDir));
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    const foreign = foreignOwner(dataDir);
    if (foreign) throw new Refusal(`DATA_DIR is "${dataDir}", which ${foreign}, or set DATA_DIR to another folder.`);
    const { message } = error as Error;
    throw new Refusal(`DATA_DIR is "${dataDir}", which cannot be written (${message}): set it to another folder.`);
  }
}

/**
 * Names the owner of a folder that belongs to another user than this process, and the command that changes it:
 * `belongs to root, and this process runs as contacts: run chown -R contacts '/srv/data'`. Null when the folder is our
 * own or does not exist, and for root, to which all folders are open. docs/guides/self-hosting.md#a-machine
 */
function foreignOwner(folder: string): string | null {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
  const uid = process.getuid?.();
  if (owner === undefined || !uid || owner === uid) return null;
  const [theirs, ours] = [accountName(owner), accountName(uid)];
  const quoted = `'${resolve(folder).replaceAll("'", "'\\''")}'`;
  return `belongs to ${theirs}, and this process runs as ${ours}: as root, run chown -R ${ours} ${quoted}`;
}

/**
 * Makes a folder with those above it. The option `recursive` of mkdir does that too, but never ends where a folder says
 * that it is not there itself, as those below /proc do.
 */
function makeFolders(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(folder) !== folder) makeFolders(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process that starts at the same time was faster.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** A new database takes some 60 MB, and soon more for its log: on a full disk it would fail with its first writes. */
function refuseFullDisk(dataDir: string): void {
  const free = freeBytes(dataDir);
  if (free < FIRST_BYTES_LEAST)
    throw new Refusal(
      `${dataDir} has ${Math.floor(free / MIB)} MiB of free space, and a new database needs ${FIRST_BYTES_LEAST / MIB}: free some space (No space left), or set DATA_DIR to another folder.`,
    );
}

/** Number of bytes that the file system of a folder has left for us. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function refuseForeignCluster(cluster: string): void {
  const foreign = foreignOwner(cluster);
  if (foreign) throw new Refusal(`${cluster} ${foreign}, or set DATA_DIR to another folder.`);
}

async function createDatabase(postmaster: Postmaster): Promise<void> {
  const client = await connect(postmaster, MAINTENANCE_DATABASE, "contact-workspace");
  try {
    for (;;) {
      const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [DATABASE]);
      if (rowCount) return;
      await client.query(`create database ${DATABASE}`).catch(ignoreRival);
    }
  } finally {
    await client.end();
  }
}

function isAway(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === undefined || AWAY.test(code);
}

async function ignoreRival(error: unknown): Promise<void> {
  const code = error instanceof pg.DatabaseError ? error.code : undefined;
  if (code === undefined || !MADE_BY_ANOTHER.includes(code)) throw error;
  await pause(POLL_MS);
}

async function stopUnlessUsed(launch: Launch, postmaster: Postmaster): Promise<void> {
  const others = await countOthers(postmaster).catch(() => undefined);
  // Undefined when the server is gone already, or is being stopped by another process.
  if (others === undefined || others > 0) return;
  if (process.platform === "win32") stopOnWindows(launch);
  else if (isAlive(postmaster.pid)) process.kill(postmaster.pid, "SIGINT");
  const deadline = Date.now() + STOP_MS_MAX;
  while (isAlive(postmaster.pid) && Date.now() < deadline) await pause(POLL_MS);
  removeTemporarySocketFolder(launch, postmaster);
}

async function countOthers(postmaster: Postmaster): Promise<number | undefined> {
  const client = await connect(postmaster, MAINTENANCE_DATABASE, STOP_APPLICATION);
  try {
    // Connections that ask this do not count: else of two processes that stop at the same time each would leave it to
    // the other.
    const { rows } = await client.query<{ others: number }>(
      "select count(*)::int as others from pg_stat_activity where backend_type = 'client backend' and application_name <> $1",
      [STOP_APPLICATION],
    );
    return rows[0]?.others;
  } finally {
    await client.end();
  }
}

// Windows has no signals: SIGINT would end the server there without a clean stop.
function stopOnWindows({ user, binaries, cluster }: Launch): void {
  const { file, arguments: args } = commandAs(
    user,
    program(binaries, "pg_ctl"),
    ["stop", "-m", "fast", "-D", cluster],
    cluster,
  );
  spawnSync(file, args);
}

function removeTemporarySocketFolder({ cluster }: Launch, { socketFolder }: Postmaster): void {
  const isTemporary = socketFolder.includes(`${sep}cw-postgres-`) && !cluster.startsWith(socketFolder);
  if (isTemporary) rmSync(socketFolder, { recursive: true, force: true });
}

async function connect(postmaster: Postmaster, database: string, applicationName: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: urlOf(postmaster, database), application_name: applicationName });
  // When the server stops or is killed, an error without a listener would end this process. The event "end" follows and
  // is the one that counts.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

function urlOf({ socketFolder, port }: Postmaster, database: string): string {
  const host = socketFolder ? encodeURIComponent(socketFolder) : "127.0.0.1";
  return `postgresql://${SUPERUSER}@${host}:${port}/${database}`;
}
