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
 * The server that runs in the folder, also one that another process or an earlier, killed one has started.
 * Undefined when there is none; a file that a dead one left behind is then out of the way.
 */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const file = join(cluster, "postmaster.pid");
  const content = readIfThere(file);
  if (content === undefined) return undefined;
  const lines = content.split("\n").map((line) => line.trim());
  const pid = Number(lines[PID_LINE]);
  // The file is made and filled in two steps.
  if (!Number.isInteger(pid) || pid <= 0) return { pid: 0, port: 0, socketFolder: "", ready: false };
  if (!exists(pid)) return undefined;
  if (!isServerOf(pid, cluster)) {
    removeStale(file, content);
    return undefined;
  }
  const ready = lines[STATUS_LINE] === "ready";
  return { pid, port: Number(lines[PORT_LINE]), socketFolder: lines[SOCKET_LINE] ?? "", ready };
}

/** The socket folder that the last server of the cluster used, so that its clients find the next one; undefined when unknown. */
export function lastSocketFolder(cluster: string): string | undefined {
  return readIfThere(join(cluster, "postmaster.pid"))?.split("\n")[SOCKET_LINE]?.trim() || undefined;
}

/** Tells whether a process is alive; a zombie, which still answers to signals, is not. */
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

// A killed server stays a zombie until process 1 collects it: two seconds, or for ever in some containers.
function isZombie(pid: number): boolean {
  const status = readIfThere(`/proc/${pid}/stat`) ?? "";
  // The name in parentheses may itself hold spaces and parentheses.
  return status.slice(status.lastIndexOf(")") + 2).startsWith("Z");
}

/** The system gives out numbers again: the process must be at work in this very folder. */
function isServerOf(pid: number, cluster: string): boolean {
  if (process.platform !== "linux") return true;
  if (isZombie(pid)) return false;
  const folder = statSync(cluster);
  try {
    const workplace = statSync(`/proc/${pid}/cwd`);
    return workplace.ino === folder.ino && workplace.dev === folder.dev;
  } catch {
    // Without leave to look at its folder (root in a container, another user's process), its command line has to do.
    return readIfThere(`/proc/${pid}/cmdline`)?.split("\0").includes(cluster) ?? false;
  }
}

/**
 * PostgreSQL takes any living process of that number for a running server and would refuse to start. The file is moved before it
 * is removed, and put back when a server that just started has written it meanwhile.
 */
function removeStale(file: string, content: string): void {
  const aside = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, aside);
    if (readIfThere(aside) !== content) linkSync(aside, file);
  } catch {
    // Somebody else has removed or replaced it: as good.
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
