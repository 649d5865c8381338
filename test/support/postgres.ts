import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findBinaries } from "contact-workspace-postgres/binaries";
import { handOver, serverUser } from "contact-workspace-postgres/server-user";
import pg from "pg";
import { installPostgres15 } from "../../lab/harness/debian-postgres.ts";
import { freePort } from "../../lab/harness/free-port.ts";
import { until } from "../../lab/harness/until.ts";

/** The role that may do everything, and its password. */
const SUPERUSER = "root";
const PASSWORD = "secret of root";

export interface OwnPostgres {
  port: number;
  /** The folder of the data, where certificates may lie too. */
  folder: string;
  /** The address of a database, for the superuser unless a role is named. */
  url(database: string, user?: string, password?: string): string;
  /** Runs a statement as the superuser. */
  run(sql: string, database?: string): Promise<unknown[]>;
  stop(): Promise<void>;
}

interface Options {
  /** Where its programs are; unset: those that npm has installed. */
  bin?: string;
  encoding?: string;
  /** Settings by their names. */
  settings?: Record<string, string>;
  /** What is to lie in the folder before it starts. */
  files?: Record<string, Buffer | string>;
}

/**
 * The programs of PostgreSQL 15, the oldest that serves, from Debian; undefined, with the reason said, where there are
 * none.
 */
export function postgres15(): string | undefined {
  const initdb = installPostgres15();
  return "path" in initdb ? dirname(initdb.path) : undefined;
}

/** Starts a PostgreSQL of one's own on 127.0.0.1, which asks for passwords. */
export async function startPostgres({
  bin,
  encoding = "UTF8",
  settings = {},
  files = {},
}: Options = {}): Promise<OwnPostgres> {
  const user = serverUser("/none");
  const programs = bin ?? join(await findBinaries(user), "bin");
  const parent = mkdtempSync(join(tmpdir(), "contact-workspace-postgres-"));
  chmodSync(parent, 0o755);
  const folder = join(parent, "data");
  const password = join(parent, "password");
  writeFileSync(password, PASSWORD);
  handOver(parent, user);
  const as = { cwd: parent, ...(user && { uid: user.uid, gid: user.gid }) };
  const options = ["-D", folder, "-U", SUPERUSER, "-A", "scram-sha-256", `--pwfile=${password}`, "-E", encoding];
  const made = spawnSync(join(programs, "initdb"), [...options, "--locale=C", "--no-sync"], {
    ...as,
    env: { ...process.env, LC_ALL: "C" },
    encoding: "utf8",
  });
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), content, { mode: 0o600 });
    handOver(join(folder, name), user);
  }
  const port = await freePort();
  const all = { port, listen_addresses: "127.0.0.1", unix_socket_directories: "", ...settings };
  const args = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(join(programs, "postgres"), ["-D", folder, ...args], { ...as, stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));

  const url = (database: string, role = SUPERUSER, secret = PASSWORD) =>
    `postgresql://${role}:${encodeURIComponent(secret)}@127.0.0.1:${port}/${database}`;
  const run = async (sql: string, database = "postgres") => {
    const client = new pg.Client(url(database));
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const stop = async () => {
    child.kill("SIGINT");
    await ended;
    rmSync(parent, { recursive: true, force: true });
  };
  await until("PostgreSQL answers", () => run("select 1"), 30_000);
  return { port, folder, url, run, stop };
}
