import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program } from "contact-workspace-postgres/binaries";
import { makeCluster, SUPERUSER } from "contact-workspace-postgres/cluster";
import { isAlive } from "contact-workspace-postgres/postmaster";
import { commandAs, handOver, serverUser } from "contact-workspace-postgres/server-user";
import { freePort } from "./free-port.ts";
import { FOLDER } from "./postgres.ts";
import { childrenOf } from "./processes.ts";
import { runSql } from "./run-sql.ts";
import { until } from "./until.ts";

/** A PostgreSQL that listens on 127.0.0.1 and starts only when it is told to. Its data survives its processes. */
export interface PostgresNode {
  port: number;
  /** Address of its database, for the superuser. */
  url: string;
  /** Address of another database. */
  urlOf(database: string): string;
  /**
   * Returns when it answers.
   * @throws Error with the last lines of its log when it ends instead
   */
  start(): Promise<void>;
  /** SIGINT is a fast stop, SIGQUIT an immediate one, SIGKILL takes every process. Returns when all of it is gone. */
  end(signal: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<void>;
  /** Lets all its processes hang. */
  pause(): void;
  resume(): void;
  /** Runs a statement as the superuser, in `url` unless a database is named. */
  run(sql: string, database?: string): Promise<Record<string, unknown>[]>;
  /** Ends it, and removes its data. */
  stop(): Promise<void>;
}

export interface NodeOptions {
  /** Folder with bin/. */
  binaries: string;
  /** Name of the database of `url`. */
  database?: string;
  /** Without it commits do not wait for the disk. They survive the end of all processes in either case. */
  durable?: boolean;
  /** Further settings of PostgreSQL, by their names. */
  settings?: Record<string, string>;
}

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  timezone: "UTC",
  log_min_messages: "fatal",
};
const START_MS_MAX = 60_000;
const LOG_LINES_SHOWN = 3;

/** A folder that PostgreSQL may write into. Tests sweep it away when a killed run has left it. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER}${process.pid}-`));
  chmodSync(folder, 0o755);
  handOver(folder, serverUser(join(folder, "postgres")));
  return folder;
}

/**
 * Makes the data of a new node; gives its folder.
 * @param options.locale options of initdb; unset: those of the embedded server, which need PostgreSQL 17 or later
 */
export async function makeData(options: { binaries: string; locale?: readonly string[] }): Promise<string> {
  const parent = newFolder();
  const cluster = join(parent, "postgres");
  await makeCluster(cluster, { ...options, user: serverUser(cluster), durable: false });
  return parent;
}

/** The node of the data in this folder, which does not run yet. */
export async function makeNode(parent: string, options: NodeOptions): Promise<PostgresNode> {
  const { database = "postgres" } = options;
  const port = await freePort();
  const processes = processesOf(parent, port, options);
  const urlOf = (name: string) => `postgresql://${SUPERUSER}@127.0.0.1:${port}/${name}`;
  return {
    port,
    url: urlOf(database),
    urlOf,
    async start() {
      const hasEnded = processes.start();
      await until(
        "PostgreSQL answers",
        async () => hasEnded() || (await runSql(urlOf("postgres"), "select 1")),
        START_MS_MAX,
      );
      if (hasEnded()) throw new Error(`PostgreSQL has ended at its start: ${processes.lastWords()}`);
    },
    end: processes.end,
    pause: processes.pause,
    resume: processes.resume,
    run: (sql, name = database) => runSql(urlOf(name), sql),
    async stop() {
      await processes.end("SIGQUIT");
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

/** The processes of one server: its first one, and those that this has started. */
function processesOf(parent: string, port: number, { binaries, durable = false, settings = {} }: NodeOptions) {
  const cluster = join(parent, "postgres");
  const log = join(parent, "log");
  const all = { ...SETTINGS, fsync: durable ? "on" : "off", ...settings, port };
  const args = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = commandAs(serverUser(cluster), program(binaries, "postgres"), ["-D", cluster, ...args], cluster);
  let child: ChildProcess | undefined;
  let hung: number[] = [];

  const freeze = (pid: number) => {
    // The first process starts no others while they are listed.
    signalIfThere(pid, "SIGSTOP");
    const pids = [pid, ...childrenOf(pid)];
    for (const each of pids) signalIfThere(each, "SIGSTOP");
    return pids;
  };
  const resume = () => {
    for (const pid of hung.splice(0)) signalIfThere(pid, "SIGCONT");
  };
  return {
    /** Gives a function that tells whether the server has ended. */
    start() {
      const file = openSync(log, "w");
      const started = spawn(command.file, command.arguments, { ...command.options, stdio: ["ignore", file, file] });
      closeSync(file);
      child = started;
      return () => hasEnded(started);
    },
    async end(signal: "SIGINT" | "SIGQUIT" | "SIGKILL") {
      const ending = child;
      child = undefined;
      if (ending?.pid === undefined || hasEnded(ending)) return;
      const ended = new Promise<void>((resolve) => ending.once("exit", () => resolve()));
      const pids = signal === "SIGKILL" ? freeze(ending.pid) : [ending.pid];
      if (signal !== "SIGKILL") resume();
      hung = [];
      for (const pid of pids) signalIfThere(pid, signal);
      await ended;
      await until("PostgreSQL has no process left", () => !pids.some(isAlive));
    },
    pause() {
      if (child?.pid !== undefined) hung = freeze(child.pid);
    },
    resume,
    lastWords: () => readFileSync(log, "utf8").trim().split("\n").slice(-LOG_LINES_SHOWN).join(" "),
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // A backend whose connection has ended is gone.
  }
}
