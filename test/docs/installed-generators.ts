import { execFileSync, spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { say } from "../../lab/harness/apt.ts";
import { testFolder } from "../support/folder.ts";

const PACKAGE = join(import.meta.dirname, "generators");
const DOCUMENT = join(import.meta.dirname, "..", "..", "docs", "openapi.json");

/** A folder with the generators, the document, and nothing else of this project. */
export interface Workshop extends ReturnType<typeof testFolder> {
  /** Runs a program that a package has brought. Throws with what it printed when it fails. */
  run(program: string, ...words: string[]): string;
}

/**
 * Installs the generators, as package-lock.json beside package.json has them: 112 MB, which nobody needs who runs a
 * server. Gives the reason where there is no registry.
 */
export function installGenerators(): Workshop | { missing: string } {
  const folder = testFolder();
  cpSync(PACKAGE, folder.path, { recursive: true });
  cpSync(DOCUMENT, join(folder.path, "openapi.json"));
  say("installing generators of clients, which a test tries");
  const installed = spawnSync("npm", ["ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"], {
    cwd: folder.path,
    encoding: "utf8",
  });
  if (installed.status !== 0) {
    folder.remove();
    const reason = /npm error .*/.exec(installed.stderr ?? "")?.[0] ?? installed.error?.message;
    return { missing: `npm cannot install the generators of clients: ${reason}` };
  }
  const run = (program: string, ...words: string[]) =>
    execFileSync(process.execPath, [join(folder.path, "node_modules", program), ...words], {
      cwd: folder.path,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  return { ...folder, run };
}
