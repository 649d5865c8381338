import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBinaries, program } from "contact-workspace-postgres/binaries";
import { makeCluster, SUPERUSER } from "contact-workspace-postgres/cluster";
import { commandAs, handOver, serverUser } from "contact-workspace-postgres/server-user";
import pg from "pg";
import { errorCode } from "../../database/errors.ts";
import { freePort } from "./free-port.ts";
import { FOLDER } from "./postgres.ts";
import { childrenOf } from "./processes.ts";
import { until } from "./until.ts";

const DATABASE = "contacts";
const STANDBY = "standby";

/** One PostgreSQL of a pair. It listens on 127.0.0.1. */
export interface Replica {
  port: number;
  /** Runs SQL as superuser and gives the rows. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  start(): Promise<void>;
  /** Ends it: like a dead machine with SIGKILL, orderly with SIGINT. */
  end(signal: "SIGKILL" | "SIGINT"): Promise<void>;
  /** Stops all of its processes as they are, or lets them go on. */
  freeze(): void;
  thaw(): void;
}

/** A primary and a standby that follows it, by streaming replication. */
export interface ReplicaPair {
  primary: Replica;
  standby: Replica;
  /** Address of the database on these servers, with a parameter or more. */
  url(servers: readonly Replica[], parameters?: string): string;
  /** Lets commits on the primary wait for the standby, or no longer. */
  setSynchronous(isOn: boolean): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a pair with an empty database. The standby is a copy of the files of the stopped primary. */
export async function startReplicaPair(): Promise<ReplicaPair> {
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER}${process.pid}-`));
  chmodSync(folder, 0o755);
  const data = join(folder, "data");
  mkdirSync(data);
  const clusters = [join(data, "primary"), join(data, "standby")] as const;
  const user = serverUser(clusters[0]);
  handOver(data, user);
  const binaries = await findBinaries(user);
  await makeCluster(clusters[0], { binaries, user, durable: false });
  const run = (cluster: string, port: number) => {
    const settings = {
      listen_addresses: "127.0.0.1",
      port: String(port),
      unix_socket_directories: "",
      fsync: "off",
      wal_receiver_status_interval: "1",
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const command = commandAs(user, program(binaries, "postgres"), ["-D", cluster, ...args], cluster);
    return spawn(command.file, command.arguments, { ...command.options, stdio: "ignore" });
  };
  const primary = replica(run, clusters[0], await freePort());
  const standby = replica(run, clusters[1], await freePort());
  await primary.start();
  await primary.query(`create database ${DATABASE} encoding 'UTF8' template template0`);
  await primary.end("SIGINT");
  spawnSync("cp", ["-a", ...clusters]);
  writeFileSync(join(clusters[1], "standby.signal"), "");
  const conninfo = `host=127.0.0.1 port=${primary.port} user=${SUPERUSER} application_name=${STANDBY}`;
  appendFileSync(join(clusters[1], "postgresql.auto.conf"), `primary_conninfo = '${conninfo}'\n`);
  await Promise.all([primary.start(), standby.start()]);
  await until("the standby follows", async () => {
    const [row] = await primary.query("select 1 from pg_stat_replication where state = 'streaming'");
    return row !== undefined;
  });
  return {
    primary,
    standby,
    url(servers, parameters = "") {
      const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(",");
      return `postgresql://${SUPERUSER}@${hosts}/${DATABASE}${parameters && `?${parameters}`}`;
    },
    async setSynchronous(isOn) {
      await primary.query(`alter system set synchronous_standby_names = '${isOn ? STANDBY : ""}'`);
      await primary.query("select pg_reload_conf()");
      await until("the setting is there", async () => {
        const [row] = await primary.query<{ sync: boolean }>(
          "select bool_or(sync_state = 'sync') as sync from pg_stat_replication",
        );
        return (row?.sync ?? false) === isOn;
      });
    },
    async stop() {
      await Promise.all([primary.end("SIGKILL"), standby.end("SIGKILL")]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function replica(run: (cluster: string, port: number) => ChildProcess, cluster: string, port: number): Replica {
  let child: ChildProcess | undefined;
  const processes = () => (child?.pid ? [child.pid, ...childrenOf(child.pid)] : []);
  const tell = (signal: NodeJS.Signals) => {
    for (const pid of processes()) {
      try {
        process.kill(pid, signal);
      } catch (error) {
        // It has ended since it was listed.
        if (errorCode(error) !== "ESRCH") throw error;
      }
    }
  };
  async function query<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ host: "127.0.0.1", port, user: SUPERUSER, database: "postgres" });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(sql, values)).rows;
    } finally {
      await client.end();
    }
  }
  return {
    port,
    query,
    async start() {
      child = run(cluster, port);
      await until("PostgreSQL answers", () => query("select 1"));
    },
    async end(signal) {
      const ended = child;
      if (!ended || ended.exitCode !== null || ended.signalCode !== null) return;
      const gone = new Promise<void>((resolve) => ended.once("exit", () => resolve()));
      if (signal === "SIGKILL") tell(signal);
      else ended.kill(signal);
      await gone;
    },
    freeze: () => tell("SIGSTOP"),
    thaw: () => tell("SIGCONT"),
  };
}
