import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { program } from "./binaries.ts";
import { isAlive } from "./postmaster.ts";
import { commandAs, handOver, type ServerUser } from "./server-user.ts";

/** The database role of the embedded server. Its socket is closed to other users of the machine, so it has no password. */
export const SUPERUSER = "cw";
const MAJOR_VERSION = "18";
/**
 * A sort order and case rules that are the same on every machine and come with PostgreSQL itself. Trigrams ask the C
 * library what a letter is, which knows letters beyond ASCII only in a UTF-8 locale.
 */
const LOCALE = [
  ...["-E", "UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"],
  ...(process.platform === "linux" ? ["--lc-ctype=C.UTF-8"] : []),
];

/** Folders that this process is filling at the moment, by name. */
const inTheMaking = new Set<string>();

/** Tells whether the folder holds a database cluster; throws when it is one of another major version. */
export function isCluster(cluster: string): boolean {
  const file = join(cluster, "PG_VERSION");
  if (!existsSync(file)) return false;
  const version = readFileSync(file, "utf8").trim();
  if (version === MAJOR_VERSION) return true;
  throw new Error(
    `${cluster} was made by PostgreSQL ${version}, this is ${MAJOR_VERSION}: move it away, or serve it with its own version and set DATABASE_URL.`,
  );
}

/**
 * Makes the cluster and returns true; false when another process was faster.
 * initdb fills a folder of another name, which is then renamed: killed halfway, it would leave what looks like a database.
 */
export async function makeCluster(
  cluster: string,
  { binaries, user, durable }: { binaries: string; user: ServerUser | undefined; durable: boolean },
): Promise<boolean> {
  const parent = dirname(cluster);
  sweepUnfinished(parent);
  const folder = mkdtempSync(join(parent, `postgres.new-${process.pid}-`));
  inTheMaking.add(folder);
  try {
    handOver(folder, user);
    await initialise(folder, { binaries, user, durable });
    renameSync(folder, cluster);
    return true;
  } catch (error) {
    if (!isCluster(cluster)) throw error;
    rmSync(folder, { recursive: true, force: true });
    return false;
  } finally {
    inTheMaking.delete(folder);
  }
}

async function initialise(
  folder: string,
  { binaries, user, durable }: { binaries: string; user: ServerUser | undefined; durable: boolean },
): Promise<void> {
  const args = ["-D", folder, "-U", SUPERUSER, "--auth=trust", ...LOCALE, "--no-instructions"];
  if (!durable) args.push("--no-sync");
  const command = commandAs(user, program(binaries, "initdb"), args, folder);
  const { uid, gid } = command.options;
  // The locale of the machine may name one that is not installed, which initdb refuses.
  const env = { ...process.env, LC_ALL: "C" };
  await promisify(execFile)(command.file, command.arguments, { cwd: folder, uid, gid, env });
}

/** Removes what killed processes left half done. */
function sweepUnfinished(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = /^postgres\.new-(\d+)-/.exec(name)?.[1];
    const folder = join(parent, name);
    if (!pid || inTheMaking.has(folder)) continue;
    const isOurs = Number(pid) === process.pid;
    if (isOurs || !isAlive(Number(pid))) rmSync(folder, { recursive: true, force: true });
  }
}
