import { type BigIntStats, linkSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "./refusal.ts";

/** A PostgreSQL server at work in a cluster folder, as its postmaster.pid tells. */
export interface Postmaster {
  pid: number;
  port: number;
  /** Folder of the unix socket; empty on Windows. */
  socketFolder: string;
  /** False while it starts, recovers or stops. */
  ready: boolean;
}

/** Lines of postmaster.pid, counted from 0. PostgreSQL writes them in steps, the status last. */
const PID_LINE = 0;
const PORT_LINE = 3;
const SOCKET_LINE = 4;
const STATUS_LINE = 7;
const PID_MAX = 2 ** 31 - 1;
/**
 * PostgreSQL makes the file and writes its number into it at once. A file that is older than this stays without one.
 */
const FIRST_LINE_MS_MAX = 2_000;

/**
 * The server that runs in the folder, also one that another process has started, or an earlier one that was killed.
 * Undefined when there is none; a file that a dead server has left behind is removed then, and so is one that a loss of
 * power has emptied. docs/guides/database.md#embedded-or-your-own
 * @throws Error that names the file when it cannot be read
 */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const file = join(cluster, "postmaster.pid");
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  const content = found && readLockFile(file);
  if (found === undefined || content === undefined) return undefined;
  const lines = content.split("\n").map((line) => line.trim());
  // A server that runs without others, as postgres --single does, writes its number with a minus.
  const pid = Math.abs(Number(lines[PID_LINE]));
  if (!Number.isInteger(pid) || pid === 0 || pid > PID_MAX) {
    if (isYoung(found) || hasServer(cluster)) return { pid: 0, port: 0, socketFolder: "", ready: false };
    removeStale(file, found);
    return undefined;
  }
  if (!exists(pid)) return undefined;
  if (!isServerOf(pid, cluster)) {
    removeStale(file, found);
    return undefined;
  }
  const ready = lines[STATUS_LINE] === "ready";
  return { pid, port: Number(lines[PORT_LINE]), socketFolder: lines[SOCKET_LINE] ?? "", ready };
}

/**
 * The socket folder that the last server of the cluster used, so that its clients find the next one; undefined when
 * unknown.
 */
export function lastSocketFolder(cluster: string): string | undefined {
  return readIfThere(join(cluster, "postmaster.pid"))?.split("\n")[SOCKET_LINE]?.trim() || undefined;
}

/** Whether a process is alive. A zombie is not, although signals still reach it. */
export function isAlive(pid: number): boolean {
  return exists(pid) && !isZombie(pid);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * Whether a process has ended but is not collected yet. Process 1 takes two seconds for that, and in some containers
 * never does it.
 */
function isZombie(pid: number): boolean {
  const status = readIfThere(`/proc/${pid}/stat`) ?? "";
  // The name in parentheses may itself hold spaces and parentheses.
  return status.slice(status.lastIndexOf(")") + 2).startsWith("Z");
}

/**
 * Whether a process is the server of this cluster, and so works in its folder: the system gives numbers of ended
 * processes to new ones.
 */
function isServerOf(pid: number, cluster: string): boolean {
  if (process.platform !== "linux") return true;
  if (isZombie(pid)) return false;
  const folder = statSync(cluster);
  try {
    const workplace = statSync(`/proc/${pid}/cwd`);
    return workplace.ino === folder.ino && workplace.dev === folder.dev;
  } catch {
    // The folder of a process may be hidden from us: from root in a container, or when it is another user's process.
    // Then its command line has to do.
    return readIfThere(`/proc/${pid}/cmdline`)?.split("\0").includes(cluster) ?? false;
  }
}

/** A file of the future is not young either: a clock was set back since then. */
function isYoung({ mtimeMs }: BigIntStats): boolean {
  return Math.abs(Date.now() - Number(mtimeMs)) < FIRST_LINE_MS_MAX;
}

/**
 * True if a process of PostgreSQL works in the folder although the file does not have its number. The process may not
 * have written the number yet, or may outlive its server for a moment. Only Linux shows this; elsewhere the age of the
 * file decides.
 */
function hasServer(cluster: string): boolean {
  if (process.platform !== "linux") return false;
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  // A shell may stand in the folder too.
  return pids.some((pid) => readIfThere(`/proc/${pid}/comm`) === "postgres\n" && isServerOf(Number(pid), cluster));
}

/**
 * Removes the file of a server that has died. PostgreSQL would take any living process of its number for the server and
 * refuse to start, as it does when the file is empty. The file is moved aside first, and put back when it turns out to
 * be another one, which a server that has just started wrote.
 */
function removeStale(file: string, found: BigIntStats): void {
  const aside = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, aside);
    const { ino, mtimeNs } = statSync(aside, { bigint: true });
    if (ino !== found.ino || mtimeNs !== found.mtimeNs) linkSync(aside, file);
  } catch {
    // Another process has removed or replaced the file meanwhile, which serves as well.
  }
  rmSync(aside, { force: true });
}

function readLockFile(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    // A server that stops removes the file.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    const quoted = `'${file.replaceAll("'", "'\\''")}'`;
    throw new Refusal(
      `${file}, in which PostgreSQL keeps its process id, cannot be read (${plain(error)}): when no PostgreSQL runs on this folder, run rm -rf ${quoted}`,
      { cause: error },
    );
  }
}

function plain(error: unknown): string {
  return String(error instanceof Error ? error.message.split(",")[0] : error);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
