import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { findOrInstall, type Program, say } from "./apt.ts";
import { debianPostgres, installPostgres15 } from "./debian-postgres.ts";

/** Machine that Citus is looked for on; a test describes another one. */
interface Machine {
  /** Archive of the files of Citus below usr/, for PostgreSQL 15 of Debian 12. */
  archive?: string;
  root?: string;
  isRoot?: boolean;
  /** Installs the programs that the archive needs, in this order. */
  needs?: (() => Program)[];
}

const NEEDS = [
  () => {
    say("installing Citus from CITUS_ARCHIVE, which the tests need");
    return installPostgres15();
  },
  () => findOrInstall("xz", "xz-utils"),
];
/** Two processes do not unpack at once. */
const LOCK = join(tmpdir(), "contact-workspace-citus.lock");
/**
 * Arguments: archive, root folder, control file. The control file comes last: where it stands, all the others do.
 * Folders that are there keep their rights.
 */
const UNPACK = `test -e "$3" && exit
unpack() { tar -x -f "$1" -C "$2" --no-overwrite-dir --no-same-owner --wildcards "$3" "$4"; }
unpack "$1" "$2" --exclude='*/citus.control' 'usr/*' && unpack "$1" "$2" --no-anchored '*/citus.control'`;

/**
 * Folder of a PostgreSQL with the extension citus, with bin/; else the reason why there is none. If the environment
 * variable CITUS_ARCHIVE names an archive, root installs PostgreSQL 15 and the archive on this machine first.
 */
export function findCitus({
  archive = process.env.CITUS_ARCHIVE,
  root = "/",
  isRoot = process.getuid?.() === 0,
  needs = NEEDS,
}: Machine = {}): Program {
  const found = installed(root);
  if (found) return { path: found };
  if (!archive) {
    return { missing: "no PostgreSQL of Debian has the extension citus, and CITUS_ARCHIVE names no archive of it" };
  }
  if (!existsSync(archive)) return { missing: `CITUS_ARCHIVE is "${archive}", and there is no such file` };
  if (!isRoot) return { missing: "only root can install the archive that CITUS_ARCHIVE names" };
  for (const need of needs) {
    const program = need();
    if ("missing" in program) return program;
  }
  return unpack(archive, root);
}

function installed(root: string): string | undefined {
  return debianPostgres(root).find((folder) => existsSync(controlFile(root, basename(folder))));
}

function controlFile(root: string, version: string): string {
  return join(root, "usr/share/postgresql", version, "extension/citus.control");
}

function unpack(archive: string, root: string): Program {
  const script = ["sh", "-c", UNPACK, "sh", archive, root, controlFile(root, "15")];
  const { status, stderr } = spawnSync("flock", [LOCK, ...script], { encoding: "utf8" });
  const folder = installed(root);
  if (folder) return { path: folder };
  if (status === 0) return { missing: `CITUS_ARCHIVE is "${archive}", which has no extension for PostgreSQL 15` };
  return {
    missing: `CITUS_ARCHIVE is "${archive}", which cannot be unpacked: ${stderr?.trim().split("\n")[0]}`,
  };
}
