import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBinaries, program } from "contact-workspace-postgres/binaries";
import { makeCluster, SUPERUSER } from "contact-workspace-postgres/cluster";
import { commandAs, handOver, serverUser } from "contact-workspace-postgres/server-user";
import { migrate } from "../../database/migrate/migrate.ts";
import { freePort } from "./free-port.ts";
import { FOLDER } from "./postgres.ts";
import { childrenOf } from "./processes.ts";
import { runSql } from "./run-sql.ts";
import { until } from "./until.ts";

/** A PostgreSQL that listens on 127.0.0.1 and comes back only when it is told to. */
export interface PostgresServer {
  /** Address of its database, which is migrated. */
  url: string;
  start(): Promise<void>;
  /** SIGINT is a fast stop, SIGQUIT an immediate one. Returns when all of it is gone. */
  end(signal: "SIGINT" | "SIGQUIT"): Promise<void>;
  /** Lets all its processes hang. */
  pause(): void;
  resume(): void;
  /** Runs a statement as the superuser. */
  run(sql: string): Promise<Record<string, unknown>[]>;
  /** Ends it, and removes its data. */
  stop(): Promise<void>;
}

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  timezone: "UTC",
  fsync: "off",
};
const STANDBY = "standby";
const START_MS_MAX = 60_000;

/** Starts the PostgreSQL that npm has installed on a new folder. It does not wait for the disk. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const made = await makeServer(await makeData());
  await made.start();
  await migrate(made.url);
  return made;
}

/** Starts one with a standby, without which it commits nothing. */
export async function startWithStandby(): Promise<{ primary: PostgresServer; standby: PostgresServer }> {
  const data = await makeData();
  const primary = await makeServer(data);
  await primary.start();
  await migrate(primary.url);
  // A copy of a server that has stopped is a standby at once. The PostgreSQL of npm has no pg_basebackup.
  await primary.end("SIGINT");
  const copy = newFolder();
  spawnSync("cp", ["-a", join(data, "postgres"), copy]);
  const { port } = new URL(primary.url);
  const source = `host=127.0.0.1 port=${port} user=${SUPERUSER} application_name=${STANDBY}`;
  const folder = join(copy, "postgres");
  writeFileSync(join(folder, "standby.signal"), "");
  handOver(join(folder, "standby.signal"), serverUser(folder));
  appendFileSync(join(folder, "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`);
  await primary.start();
  const standby = await makeServer(copy);
  await standby.start();
  await primary.run(`alter system set synchronous_standby_names = '${STANDBY}'`);
  await primary.run("select pg_reload_conf()");
  await until("the standby is synchronous", async () => {
    const rows = await primary.run("select 1 from pg_stat_replication where sync_state = 'sync'");
    return rows.length === 1;
  });
  return { primary, standby };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER}${process.pid}-`));
  chmodSync(folder, 0o755);
  handOver(folder, serverUser(join(folder, "postgres")));
  return folder;
}

async function makeData(): Promise<string> {
  const parent = newFolder();
  const cluster = join(parent, "postgres");
  const user = serverUser(cluster);
  await makeCluster(cluster, { binaries: await findBinaries(user), user, durable: false });
  return parent;
}

/** The server of the data in this folder, which does not run yet. */
async function makeServer(parent: string): Promise<PostgresServer> {
  const cluster = join(parent, "postgres");
  const user = serverUser(cluster);
  const binaries = await findBinaries(user);
  const port = await freePort();
  const args = Object.entries({ ...SETTINGS, port }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = commandAs(user, program(binaries, "postgres"), ["-D", cluster, ...args], cluster);
  const url = `postgresql://${SUPERUSER}@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | undefined;
  let hung: number[] = [];

  const run = (sql: string) => runSql(url, sql);
  const resume = () => {
    for (const pid of hung.splice(0)) signalIfThere(pid, "SIGCONT");
  };
  const end = async (signal: "SIGINT" | "SIGQUIT") => {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => ending.once("exit", () => resolve()));
    ending.kill(signal);
    await ended;
  };
  return {
    url,
    async start() {
      child = spawn(command.file, command.arguments, { ...command.options, stdio: "ignore" });
      await until("PostgreSQL answers", () => run("select 1"), START_MS_MAX);
    },
    end,
    pause() {
      const { pid = 0 } = child ?? {};
      hung = pid === 0 ? [] : [pid, ...childrenOf(pid)];
      for (const each of hung) signalIfThere(each, "SIGSTOP");
    },
    resume,
    run,
    async stop() {
      resume();
      await end("SIGQUIT");
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // A backend whose connection has ended is gone.
  }
}
