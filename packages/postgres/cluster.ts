import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { program } from "./binaries.ts";
import { isAlive } from "./postmaster.ts";
import { Refusal } from "./refusal.ts";
import { commandAs, handOver, type ServerUser } from "./server-user.ts";

/**
 * The database role of the embedded server. Its socket is closed to other users of the machine, so it has no password.
 */
export const SUPERUSER = "cw";
const MAJOR_VERSION = "18";
/**
 * The sort order and the rules of letter case are those that come with PostgreSQL itself, which are the same on every
 * machine. What a letter is, trigrams ask the C library, which knows letters beyond ASCII only in a UTF-8 locale.
 */
const LOCALE = [
  ...["-E", "UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"],
  ...(process.platform === "linux" ? ["--lc-ctype=C.UTF-8"] : []),
];

const REMEDY =
  "set DATA_DIR to a folder on a disk of this machine that knows owners and rights of files, or DATABASE_URL to a PostgreSQL of your own";

interface ClusterOptions {
  /** Folder of PostgreSQL, with bin/. */
  binaries: string;
  /** Account that runs initdb and owns the cluster; undefined: that of this process. */
  user: ServerUser | undefined;
  /** Waits until the files are on the disk. */
  durable: boolean;
  /** Options of initdb for encoding and locale; unset: `LOCALE`, which needs PostgreSQL 17 or later. */
  locale?: readonly string[];
}

/** The folders that this process is filling with a new cluster at the moment. */
const inTheMaking = new Set<string>();

/**
 * True if the folder holds a database cluster.
 * @throws Error if the cluster is of another major version of PostgreSQL, is damaged, or does not have a version
 */
export function isCluster(cluster: string): boolean {
  const file = join(cluster, "PG_VERSION");
  if (!existsSync(file)) {
    refuseOther(cluster);
    return false;
  }
  const version = statSync(file).isFile() ? readFileSync(file, "utf8").trim() : "";
  if (version === MAJOR_VERSION) return true;
  if (!/^[\d.]+$/.test(version))
    throw new Refusal(
      `${file} does not hold a PostgreSQL version, so the database files are damaged: restore a backup into a new DATA_DIR.`,
    );
  throw new Refusal(
    `${cluster} was made by PostgreSQL ${version}, this is ${MAJOR_VERSION}: move it away, or serve it with its own version and set DATABASE_URL. With a backup made by the release of that version, restore it into a new DATA_DIR.`,
  );
}

/** PostgreSQL would make its data only in a folder that is empty. */
function refuseOther(cluster: string): void {
  const found = statSync(cluster, { throwIfNoEntry: false });
  // Another process that starts at the same time may have brought a cluster in its place just now.
  if (!found || existsSync(join(cluster, "PG_VERSION"))) return;
  if (found.isDirectory() && readdirSync(cluster).length === 0) return;
  throw new Refusal(
    `${cluster} is not empty, and holds no database (PG_VERSION is missing): move it away, set DATA_DIR to another folder, or restore a backup into a new one.`,
  );
}

/**
 * Makes the cluster and gives true, or false when another process was faster. initdb fills a folder of another name,
 * which is renamed when it is complete: an initdb that was killed halfway would else leave what looks like a database.
 */
export async function makeCluster(cluster: string, options: ClusterOptions): Promise<boolean> {
  const parent = dirname(cluster);
  sweepUnfinished(parent);
  const folder = mkdtempSync(join(parent, `postgres.new-${process.pid}-`));
  inTheMaking.add(folder);
  try {
    handOver(folder, options.user);
    await initialise(folder, options);
    renameSync(folder, cluster);
    return true;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (!isCluster(cluster)) throw unmade(error, parent);
    return false;
  } finally {
    inTheMaking.delete(folder);
  }
}

async function initialise(folder: string, { binaries, user, durable, locale = LOCALE }: ClusterOptions): Promise<void> {
  const args = ["-D", folder, "-U", SUPERUSER, "--auth=trust", ...locale, "--no-instructions"];
  if (!durable) args.push("--no-sync");
  const command = commandAs(user, program(binaries, "initdb"), args, folder);
  const { uid, gid, env } = command.options;
  await promisify(execFile)(command.file, command.arguments, { cwd: folder, uid, gid, env });
}

/** Message of initdb in one line: its last words on standard error say what failed, and what it did about that. */
function unmade(error: unknown, parent: string): Refusal {
  const { stderr = "", message } = error as Error & { stderr?: string };
  const lines = stderr.split("\n").filter((line) => /\b(error|fatal|could not|invalid|no space)\b/i.test(line));
  const said = (lines[0] ?? message.split("\n")[0] ?? "")
    .replace(/^(initdb|postgres): (error: )?/, "")
    .replace(/^.*(FATAL|PANIC): */, "");
  const remedy = /no space left/i.test(stderr) ? "free some space there, or set DATA_DIR to another folder" : REMEDY;
  return new Refusal(`PostgreSQL cannot make its data in ${parent} (${said}): ${remedy}.`, { cause: error });
}

/** Removes the unfinished clusters of processes that were killed. */
function sweepUnfinished(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = /^postgres\.new-(\d+)-/.exec(name)?.[1];
    const folder = join(parent, name);
    if (!pid || inTheMaking.has(folder)) continue;
    const isOurs = Number(pid) === process.pid;
    if (isOurs || !isAlive(Number(pid))) rmSync(folder, { recursive: true, force: true });
  }
}
