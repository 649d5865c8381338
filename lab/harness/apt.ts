import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** Where Debian puts programs of administrators, which is not in the PATH of others. */
const FURTHER_FOLDERS = ["/usr/local/bin", "/usr/local/sbin", "/usr/sbin", "/usr/bin"];
/** Somebody else may be installing at the same moment. */
const ATTEMPTS = 3;
const LOCK_WAIT_S = 120;

export type Program = { path: string } | { missing: string };

/**
 * Full path of a program, or of a file that is given by its path; installed from Debian's packages when it is missing
 * and we are root; else the reason why there is none.
 */
export function findOrInstall(name: string, aptPackage: string): Program {
  const found = findProgram(name);
  if (found) return { path: found };
  if (process.getuid?.() !== 0 || !findProgram("apt-get")) {
    return { missing: `${name} is not installed: install the package ${aptPackage}` };
  }
  say(`installing ${aptPackage} with apt-get, which the tests need`);
  let output = "";
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    output = aptGet("update") + aptGet("install", "-y", "--no-install-recommends", aptPackage);
    const installed = findProgram(name);
    if (installed) return { path: installed };
  }
  return {
    missing: `${name} is not installed, and apt-get cannot install ${aptPackage}: ${output.trim().split("\n").at(-1)}`,
  };
}

/** One line for whoever runs the tests. */
export function say(line: string): void {
  process.stderr.write(`tests: ${line}\n`);
}

/** Full path of a program that is installed. */
export function findProgram(name: string): string | undefined {
  if (isAbsolute(name)) return existsSync(name) ? name : undefined;
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...FURTHER_FOLDERS];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function aptGet(...args: string[]): string {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const options = ["-qq", "-o", `DPkg::Lock::Timeout=${LOCK_WAIT_S}`];
  const { stderr } = spawnSync("apt-get", [...options, ...args], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  return stderr;
}
