// npm 10 links node_modules/.bin/node to the platform package of Node 24 and takes the link away again when it discards
// the other platforms' packages, which share the name "node". Every npm script would then run on the host's older Node,
// which cannot read TypeScript. This file therefore runs on that older Node: plain JavaScript, no dependency.
import { existsSync, lstatSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const modules = join(dirname(fileURLToPath(import.meta.url)), "..", "node_modules");
const platformPackage = `node-${process.platform}-${process.arch}`;

// Windows keeps its .cmd shims, and macOS has no such package: there the developer's own Node is used.
if (process.platform !== "win32" && existsSync(join(modules, platformPackage, "bin", "node"))) relink();

function relink() {
  const link = join(modules, ".bin", "node");
  if (existsSync(link)) return;
  mkdirSync(dirname(link), { recursive: true });
  // A link that points nowhere does not "exist", yet stands in the way.
  if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link);
  symlinkSync(join("..", platformPackage, "bin", "node"), link);
}
