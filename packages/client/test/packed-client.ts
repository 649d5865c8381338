import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { testFolder } from "../../../test/support/folder.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** What a project that has only installed the client needs beside it, and what checks its types. */
const INSTALLED = ["openapi-fetch", "openapi-typescript-helpers", "@types/node", "undici-types"];

/** A project somewhere else that has the client as it would be published. */
export interface Consumer {
  path: string;
  write(name: string, text: string): string;
  /** The files of the package, from its root. */
  files: string[];
  /** The text of one of them. */
  read(file: string): string;
  remove(): void;
}

/**
 * Packs the client as `npm publish` does, which builds it, and installs it in a folder of its own without a registry.
 */
export function installPacked(): Consumer {
  const folder = testFolder();
  const tarball = pack(folder.path);
  const modules = join(folder.path, "node_modules");
  const installed = join(modules, "contact-workspace-client");
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", installed, "--strip-components", "1"]);
  for (const name of INSTALLED) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  }
  folder.write("package.json", JSON.stringify({ type: "module" }));
  return {
    ...folder,
    files: readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1))
      .sort(),
    read: (file) => readFileSync(join(installed, file), "utf8"),
  };
}

/** Packs a copy, because other tests read the files of the repository at the same time. Returns the tarball. */
function pack(folder: string): string {
  const source = join(ROOT, "packages", "client");
  const copy = join(folder, "packed", "packages", "client");
  const isCopied = (path: string) =>
    !["node_modules", "dist", "src/generated"].some((name) => path === join(source, name));
  cpSync(source, copy, { recursive: true, filter: isCopied });
  cpSync(join(ROOT, "docs", "openapi.json"), join(folder, "packed", "docs", "openapi.json"));
  symlinkSync(join(source, "node_modules"), join(copy, "node_modules"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "packed", "node_modules"));
  const told = execFileSync("npm", ["pack", "--json", "--silent"], { cwd: copy, encoding: "utf8" });
  const [{ filename }]: [{ filename: string }] = JSON.parse(told);
  return join(copy, filename);
}
