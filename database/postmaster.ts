import { linkSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

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

/**
 * The server that runs in the folder, also one that another process has started, or an earlier one that was killed. Undefined
 * when there is none; a file that a dead server has left behind is removed then.
 */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const file = join(cluster, "postmaster.pid");
  const content = readIfThere(file);
  if (content === undefined) return undefined;
  const lines = content.split("\n").map((line) => line.trim());
  const pid = Number(lines[PID_LINE]);
  // PostgreSQL makes the file before it fills it, so a server is about to start.
  if (!Number.isInteger(pid) || pid <= 0) return { pid: 0, port: 0, socketFolder: "", ready: false };
  if (!exists(pid)) return undefined;
  if (!isServerOf(pid, cluster)) {
    removeStale(file, content);
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
 * Whether a process has ended but is not collected yet. Process 1 takes two seconds for that, and in some containers never
 * does it.
 */
function isZombie(pid: number): boolean {
  const status = readIfThere(`/proc/${pid}/stat`) ?? "";
  // The name in parentheses may itself hold spaces and parentheses.
  return status.slice(status.lastIndexOf(")") + 2).startsWith("Z");
}

/**
 * Whether a process is the server of this cluster, and so works in its folder: the system gives numbers of ended processes
 * to new ones.
 */
function isServerOf(pid: number, cluster: string): boolean {
  if (process.platform !== "linux") return true;
  if (isZombie(pid)) return false;
  const folder = statSync(cluster);
  try {
    const workplace = statSync(`/proc/${pid}/cwd`);
    return workplace.ino === folder.ino && workplace.dev === folder.dev;
  } catch {
    // The folder of a process may be hidden from us: from root in a container, or when it is another user's process. Then its
    // command line has to do.
    return readIfThere(`/proc/${pid}/cmdline`)?.split("\0").includes(cluster) ?? false;
  }
}

/**
 * Removes the file of a server that has died. PostgreSQL would take any living process of its number for the server and refuse
 * to start. The file is moved aside first, and put back when it turns out that a server which has just started wrote it.
 */
function removeStale(file: string, content: string): void {
  const aside = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, aside);
    if (readIfThere(aside) !== content) linkSync(aside, file);
  } catch {
    // Another process has removed or replaced the file meanwhile, which serves as well.
  }
  rmSync(aside, { force: true });
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
