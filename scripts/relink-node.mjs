// Restores the link node_modules/.bin/node. npm 10 makes it, to the platform's package of Node 24, and takes it away again when
// it discards the packages of other platforms, which share the name "node". Without it every npm script would run on the
// Node of the machine, which may be too old for TypeScript. This file runs on that Node itself, so it is plain JavaScript
// without dependencies.
import { existsSync, lstatSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const modules = join(dirname(fileURLToPath(import.meta.url)), "..", "node_modules");
const platformPackage = `node-${process.platform}-${process.arch}`;

// On Windows npm makes .cmd files, which stay. For macOS there is no such package, so the Node of the machine is used there.
if (process.platform !== "win32" && existsSync(join(modules, platformPackage, "bin", "node"))) relink();

function relink() {
  const link = join(modules, ".bin", "node");
  if (existsSync(link)) return;
  mkdirSync(dirname(link), { recursive: true });
  // For a link that leads nowhere `existsSync` is false, but no other can be made in its place.
  if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link);
  symlinkSync(join("..", platformPackage, "bin", "node"), link);
}
