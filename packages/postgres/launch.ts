import { spawn } from "node:child_process";
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { program } from "./binaries.ts";
import { findPostmaster, lastSocketFolder, type Postmaster } from "./postmaster.ts";
import { Refusal } from "./refusal.ts";
import { commandAs, handOver, type ServerUser } from "./server-user.ts";

export interface Launch {
  cluster: string;
  binaries: string;
  user: ServerUser | undefined;
  durable: boolean;
}

/** Longest time of a start: after a crash the recovery of a large database takes minutes. */
const START_MS_MAX = 5 * 60_000;
const POLL_MS = 10;
const FAILED_STARTS_MAX = 5;
const LOG_BYTES_MAX = 10 * 1024 * 1024;
const LOG_LINES_SHOWN = 5;
const SOCKET_PORT = 5432;
/** Systems take 103 or 107 bytes for the path of a socket. */
const SOCKET_PATH_BYTES_MAX = 103;

const SETTINGS = {
  max_connections: "200",
  timezone: "UTC",
  log_timezone: "UTC",
  // This level leaves out failed statements, whose text holds personal data.
  log_min_messages: "log",
};
/** Tests run many such servers at once, so each has the default `shared_buffers`. */
const NOT_DURABLE = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

/**
 * Finds the server of the cluster or starts one, and returns when it answers. Several processes may do so at once: of
 * the servers that they start all but one give up, and each process finds the one that is left.
 * @throws Error with the end of PostgreSQL's log when no server starts
 */
export async function ensurePostmaster(launch: Launch): Promise<Postmaster> {
  const deadline = Date.now() + START_MS_MAX;
  for (let failed = 0; failed < FAILED_STARTS_MAX && Date.now() < deadline; ) {
    const found = findPostmaster(launch.cluster);
    if (found?.ready) return found;
    if (found) await pause(POLL_MS);
    else if (!(await start(launch, deadline))) {
      failed += 1;
      await pause(failed * 100);
    }
  }
  throw new Refusal(
    `The embedded PostgreSQL does not start. Its log, ${logFile(launch)}, ends with:\n${logEnd(launch)}`,
  );
}

/**
 * Starts a server. Gives true as soon as the cluster has one, and false when the one that was started here has ended.
 */
async function start(launch: Launch, deadline: number): Promise<boolean> {
  const log = openLog(launch);
  let ended = false;
  try {
    const args = ["-D", launch.cluster, ...(await settings(launch))];
    const {
      file,
      arguments: all,
      options,
    } = commandAs(launch.user, program(launch.binaries, "postgres"), args, launch.cluster);
    // Detached, the server does not get a Ctrl-C in the terminal. That is meant for this process, which stops the
    // server when no process needs it any more.
    const child = spawn(file, all, { ...options, detached: true, stdio: ["ignore", log, log] });
    const end = () => {
      ended = true;
    };
    child.on("exit", end);
    child.on("error", end);
    child.unref();
  } finally {
    closeSync(log);
  }
  while (Date.now() < deadline) {
    if (findPostmaster(launch.cluster)?.ready) return true;
    if (ended) return false;
    await pause(POLL_MS);
  }
  return false;
}

async function settings(launch: Launch): Promise<string[]> {
  const kept = launch.durable ? { shared_buffers: `${sharedBuffersMb()}MB` } : NOT_DURABLE;
  const all = { ...SETTINGS, ...kept, ...(await address(launch)) };
  return Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

const MIB = 1024 * 1024;

/**
 * The value of PostgreSQL's `shared_buffers`, in MiB: a quarter of the memory of the machine or container, within
 * bounds. PostgreSQL takes the memory only as it fills. docs/guides/database.md#settings-of-postgresql
 */
function sharedBuffersMb(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.min(1024, Math.max(128, Math.floor(memory / 4 / MIB)));
}

/**
 * Address at which the server listens. It takes no password, so other users of the machine must not reach it: it
 * listens on a socket in a folder that is closed to them, and not on TCP. On Windows it has to be TCP, on this machine
 * only.
 */
async function address(launch: Launch): Promise<Record<string, string>> {
  if (process.platform === "win32") return { listen_addresses: "127.0.0.1", port: String(await freePort()) };
  const folder = socketFolder(launch);
  // Only this cluster uses the folder, and it has no server now: a lock file in it belongs to a dead one.
  rmSync(join(folder, `.s.PGSQL.${SOCKET_PORT}.lock`), { force: true, recursive: true });
  return {
    listen_addresses: "",
    port: String(SOCKET_PORT),
    // The value is a list, so a name with a comma or a space needs its quotes.
    unix_socket_directories: `"${folder.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
  };
}

/**
 * The folder of the socket: one beside the cluster, or a temporary one where that path is too long. Then it is the one
 * of the last start if it is still there, so that clients find the server again.
 */
function socketFolder(launch: Launch): string {
  const beside = join(dirname(launch.cluster), "socket");
  if (isShortEnough(beside)) return closedFolder(beside, launch.user);
  const last = lastSocketFolder(launch.cluster);
  if (last && last !== beside && isClosed(last, launch.user)) return last;
  const parent = isShortEnough(join(tmpdir(), "cw-postgres-XXXXXX")) ? tmpdir() : "/tmp";
  const folder = mkdtempSync(join(parent, "cw-postgres-"));
  handOver(folder, launch.user);
  return folder;
}

function isShortEnough(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${SOCKET_PORT}`)) <= SOCKET_PATH_BYTES_MAX;
}

function closedFolder(folder: string, user: ServerUser | undefined): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  handOver(folder, user);
  return folder;
}

function isClosed(folder: string, user: ServerUser | undefined): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return false;
  return found.uid === (user?.uid ?? process.getuid?.()) && (found.mode & 0o077) === 0;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

function logFile({ cluster }: Launch): string {
  return `${cluster}.log`;
}

function openLog(launch: Launch): number {
  const file = logFile(launch);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_BYTES_MAX) renameSync(file, `${file}.1`);
  return openSync(file, "a", 0o600);
}

function logEnd(launch: Launch): string {
  return readFileSync(logFile(launch), "utf8").trimEnd().split("\n").slice(-LOG_LINES_SHOWN).join("\n");
}
