import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { handOver, type ServerUser, serverUser } from "contact-workspace-postgres/server-user";
import { migrate } from "../../database/migrate/migrate.ts";
import { findProgram, type Program } from "./apt.ts";
import { debianPostgres } from "./debian-postgres.ts";
import { freePort } from "./free-port.ts";
import { type Haproxy, startHaproxy } from "./haproxy.ts";
import { FOLDER } from "./postgres.ts";
import { childrenOf } from "./processes.ts";
import { runSql } from "./run-sql.ts";
import { until } from "./until.ts";

/** Two PostgreSQLs, of which Patroni makes one the primary, behind a load balancer that leads to it. */
export interface PatroniPair {
  /** Leads to the primary. */
  url: string;
  patroni: {
    /** kill -9 of the primary with its Patroni; returns when the other one is the primary. */
    failOver(): Promise<void>;
    /** Starts again what was killed; returns when it is a standby. */
    repair(): Promise<void>;
    /** Lets Patroni make the standby the primary. */
    switchOver(): Promise<void>;
  };
  stop(): Promise<void>;
}

interface Node {
  name: string;
  port: number;
  restPort: number;
  file: string;
  data: string;
  child?: ChildProcess;
}

const PROGRAMS = ["patroni", "patronictl", "etcd"] as const;
const SUPERUSER = "postgres";
const ROLE = "contacts";
const START_MS_MAX = 120_000;
const CHECKS = { checkEveryMs: 1_000, fall: 2 };

/** Folder with programs of a PostgreSQL that Patroni can use, or the name of a program that is missing. */
export function findPatroni(): Program {
  const absent = PROGRAMS.filter((name) => !findProgram(name));
  const bin = debianPostgres()
    .map((folder) => join(folder, "bin"))
    .find((folder) => existsSync(join(folder, "pg_basebackup")));
  if (absent.length > 0) return { missing: `not installed: ${absent.join(", ")}` };
  return bin ? { path: bin } : { missing: "not installed: a PostgreSQL of Debian, with pg_basebackup" };
}

/** Starts etcd, two PostgreSQLs in synchronous mode and the load balancer. */
export async function startPatroni(): Promise<PatroniPair> {
  const found = findPatroni();
  if (!("path" in found)) throw new Error(found.missing);
  const user = serverUser("/none");
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER}${process.pid}-`));
  chmodSync(folder, 0o755);
  handOver(folder, user);
  const start = launcher(folder, user);
  const etcdPort = await startEtcd(folder, start);
  const nodes = await Promise.all(["a", "b"].map((name) => planNode(name, { folder, etcdPort, bin: found.path })));
  const run = (node: Node) => {
    node.child = start("patroni", [node.file]);
  };
  let front: Haproxy | undefined;
  const stop = async () => {
    await front?.stop();
    for (const node of nodes) killNode(node);
    await start.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const first = await startNodes(nodes, run);
    await makeDatabase(first);
    const backends = nodes.map(({ port, restPort }) => ({ port, checkPort: restPort }));
    front = await startHaproxy(backends, { mode: "tcp", check: "/primary", ...CHECKS });
    const url = urlOf(ROLE, front.port, ROLE);
    await until("the load balancer knows the primary", () => leadsToPrimary(url), START_MS_MAX);
    await migrate(url);
    const patroni = faultsOf(nodes, run, (file, to) =>
      promisify(execFile)(
        findProgram("patronictl") ?? "",
        ["-c", file, "switchover", "cw", "--force", "--candidate", to],
        {
          ...accountOf(user),
          cwd: "/",
        },
      ),
    );
    return { url, patroni, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Launcher {
  (program: string, args: string[]): ChildProcess;
  /** kill -9 of all that it has started. */
  stop(): Promise<void>;
}

/** Starts programs as a user that PostgreSQL may run as. */
function launcher(folder: string, user: ServerUser | undefined): Launcher {
  const ends: (() => Promise<void>)[] = [];
  const start = (program: string, args: string[]) => {
    const env = { ...process.env, HOME: folder, LANG: "C.UTF-8", LC_ALL: "C.UTF-8" };
    const where = { ...accountOf(user), cwd: "/", env, stdio: "ignore" as const };
    const child = spawn(findProgram(program) ?? program, args, where);
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    ends.push(() => {
      child.kill("SIGKILL");
      return ended;
    });
    return child;
  };
  return Object.assign(start, {
    stop: async () => {
      await Promise.all(ends.map((end) => end()));
    },
  });
}

function accountOf(user: ServerUser | undefined) {
  return user ? { uid: user.uid, gid: user.gid } : {};
}

async function startEtcd(folder: string, start: Launcher): Promise<number> {
  const [port, peerPort] = [await freePort(), await freePort()];
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const options = {
    "data-dir": join(folder, "etcd"),
    "listen-client-urls": client,
    "advertise-client-urls": client,
    "listen-peer-urls": peer,
    "initial-advertise-peer-urls": peer,
    "initial-cluster": `default=${peer}`,
  };
  start(
    "etcd",
    Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
  );
  await until("etcd answers", async () => (await fetch(`${client}/health`)).ok, START_MS_MAX);
  return port;
}

async function planNode(
  name: string,
  { folder, etcdPort, bin }: { folder: string; etcdPort: number; bin: string },
): Promise<Node> {
  const [port, restPort] = [await freePort(), await freePort()];
  const data = join(folder, name, "data");
  const file = join(folder, `${name}.json`);
  mkdirSync(join(folder, name), { mode: 0o700 });
  handOver(join(folder, name), serverUser("/none"));
  // Patroni reads YAML, and so JSON.
  writeFileSync(file, JSON.stringify(configOf({ name, port, restPort, data, folder, etcdPort, bin })));
  return { name, port, restPort, file, data };
}

interface NodeSettings {
  name: string;
  port: number;
  restPort: number;
  data: string;
  folder: string;
  etcdPort: number;
  bin: string;
}

function configOf({ name, port, restPort, data, folder, etcdPort, bin }: NodeSettings): object {
  const at = (of: number) => `127.0.0.1:${of}`;
  const parameters = { max_connections: 200, fsync: "off", jit: "off", wal_level: "replica", hot_standby: "on" };
  return {
    scope: "cw",
    name,
    restapi: { listen: at(restPort), connect_address: at(restPort) },
    etcd3: { host: at(etcdPort) },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 5,
        retry_timeout: 5,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }, "data-checksums"],
      pg_hba: ["host replication all 127.0.0.1/32 trust", "host all all 127.0.0.1/32 trust"],
    },
    postgresql: {
      listen: at(port),
      connect_address: at(port),
      data_dir: data,
      bin_dir: bin,
      pgpass: join(folder, name, "pgpass"),
      authentication: { replication: { username: SUPERUSER }, superuser: { username: SUPERUSER } },
      parameters: { unix_socket_directories: "" },
    },
  };
}

/** Gives the primary. */
async function startNodes([first, second]: Node[], run: (node: Node) => void): Promise<Node> {
  if (!first || !second) throw new Error("There are no nodes.");
  run(first);
  await until("the first PostgreSQL is the primary", () => isWell(first, "primary"), START_MS_MAX);
  run(second);
  await until("the second one is a synchronous standby", () => isWell(second, "sync"), START_MS_MAX);
  return first;
}

async function isWell({ restPort }: Node, role: "primary" | "replica" | "sync"): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${restPort}/${role}`)).status === 200;
}

function urlOf(user: string, port: number, database: string): string {
  return `postgresql://${user}@127.0.0.1:${port}/${database}`;
}

async function makeDatabase({ port }: Node): Promise<void> {
  const url = urlOf(SUPERUSER, port, "postgres");
  await runSql(url, `create role ${ROLE} login superuser`);
  await runSql(url, `create database ${ROLE} owner ${ROLE} encoding 'UTF8' template template0`);
}

/** Before its first checks HAProxy takes turns with all servers. */
async function leadsToPrimary(url: string): Promise<boolean> {
  const sql = "select pg_is_in_recovery() as recovers";
  const answers = [await runSql(url, sql), await runSql(url, sql)];
  return answers.every(([row]) => row?.recovers === false);
}

function faultsOf(
  nodes: Node[],
  run: (node: Node) => void,
  switchTo: (file: string, name: string) => Promise<unknown>,
): PatroniPair["patroni"] {
  const roles = async () => {
    for (const [i, node] of nodes.entries()) {
      const other = nodes[1 - i];
      if (other && (await isWell(node, "primary").catch(() => false))) return { primary: node, standby: other };
    }
    return undefined;
  };
  let killed: Node | undefined;
  const isPrimary = (node: Node) => until(`${node.name} is the primary`, () => isWell(node, "primary"), START_MS_MAX);
  const isStandby = (node: Node) => until(`${node.name} is a standby`, () => isWell(node, "sync"), START_MS_MAX);
  return {
    async failOver() {
      const { primary, standby } = await until("there is a primary", roles);
      killed = primary;
      killNode(primary);
      await isPrimary(standby);
    },
    async repair() {
      if (!killed) return;
      run(killed);
      await isStandby(killed);
      killed = undefined;
    },
    async switchOver() {
      const { primary, standby } = await until("there is a primary", roles);
      await switchTo(primary.file, standby.name);
      await isPrimary(standby);
    },
  };
}

function killNode({ child, data }: Node): void {
  const postmaster = existsSync(join(data, "postmaster.pid"))
    ? Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0])
    : 0;
  child?.kill("SIGKILL");
  if (!postmaster) return;
  for (const pid of [postmaster, ...childrenOf(postmaster)]) killIfThere(pid);
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
