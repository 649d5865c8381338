import { type SpawnOptions, spawnSync } from "node:child_process";
import { chownSync, existsSync, readFileSync, statSync } from "node:fs";
import { Refusal } from "./refusal.ts";

/** An account of this machine, for example the one that PostgreSQL runs as when this process is root. */
export interface ServerUser {
  name: string;
  uid: number;
  gid: number;
}

/** Bits of the effective capabilities of a process, linux/capability.h. */
const DAC_OVERRIDE = 1n << 1n;
const DAC_READ_SEARCH = 1n << 2n;

/**
 * The user that PostgreSQL has to run as; undefined when this process is not root, and PostgreSQL can run as the same
 * user. It is the owner of the cluster's folder where there is one, because somebody may have started the server as an
 * ordinary user before; else the user "postgres" where there is one, else "nobody".
 */
export function serverUser(cluster: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { name: String(owner.uid), uid: owner.uid, gid: owner.gid };
  const known = accounts();
  const account = ["postgres", "nobody"].map((name) => known.find((each) => each.name === name)).find(Boolean);
  return account ?? { name: "nobody", uid: 65534, gid: 65534 };
}

/** Name of the account with this number on this machine; the number itself where no account has it. */
export function accountName(uid: number): string {
  return accounts().find((each) => each.uid === uid)?.name ?? String(uid);
}

/** Accounts of /etc/passwd, in the order of the file; none where the machine has no such file. */
function accounts(): ServerUser[] {
  if (!existsSync("/etc/passwd")) return [];
  const lines = readFileSync("/etc/passwd", "utf8").split("\n").filter(Boolean);
  return lines.map((line) => {
    const [name = "", , uid, gid] = line.split(":");
    return { name, uid: Number(uid), gid: Number(gid) };
  });
}

/** Gives a file or folder to the user. */
export function handOver(path: string, user: ServerUser | undefined): void {
  if (user) chownSync(path, user.uid, user.gid);
}

export interface Command {
  file: string;
  arguments: string[];
  options: SpawnOptions;
}

/**
 * The command that runs a program of PostgreSQL as the user, on data in `folder`.
 *
 * A folder above the data may be closed to the user, for example when the project lies in root's home. Then setpriv
 * leaves the program the one capability by which it passes closed folders. A container may hold only the wider of the
 * two that do so.
 * @throws Error that says what to do when the user cannot reach the folder
 */
export function commandAs(user: ServerUser | undefined, file: string, args: string[], folder: string): Command {
  // The environment of this machine may name a locale that is not installed, which initdb refuses.
  const where = { cwd: folder, env: { ...process.env, LC_ALL: "C" } };
  if (!user) return { file, arguments: args, options: where };
  if (canEnter(user, folder)) return { file, arguments: args, options: { ...where, uid: user.uid, gid: user.gid } };
  const capability = passingCapability();
  if (!capability) {
    throw new Refusal(
      `PostgreSQL does not run as root, and user "${user.name}" cannot reach ${folder}: set DATA_DIR to a folder below one that everybody may enter.`,
    );
  }
  const drop = [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"];
  const keep = [`--inh-caps=+${capability}`, `--ambient-caps=+${capability}`];
  return { file: "setpriv", arguments: [...drop, ...keep, file, ...args], options: where };
}

function canEnter(user: ServerUser, folder: string): boolean {
  return spawnSync("test", ["-w", folder, "-a", "-x", folder], { uid: user.uid, gid: user.gid, cwd: "/" }).status === 0;
}

function passingCapability(): string | undefined {
  if (process.platform !== "linux" || spawnSync("setpriv", ["--version"]).status !== 0) return undefined;
  const effective = /^CapEff:\s*([0-9a-f]+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  const capabilities = BigInt(`0x${effective ?? "0"}`);
  if (capabilities & DAC_READ_SEARCH) return "dac_read_search";
  return capabilities & DAC_OVERRIDE ? "dac_override" : undefined;
}
