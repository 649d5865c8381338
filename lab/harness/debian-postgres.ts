import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { findOrInstall, type Program } from "./apt.ts";

/** Folders of the PostgreSQLs that Debian's packages have installed, each with bin/, the newest version first. */
export function debianPostgres(root = "/"): string[] {
  const parent = join(root, "usr/lib/postgresql");
  if (!existsSync(parent)) return [];
  const versions = readdirSync(parent).sort((one, other) => Number(other) - Number(one));
  return versions.map((version) => join(parent, version)).filter((folder) => existsSync(join(folder, "bin/postgres")));
}

/** Full path of initdb of Debian's PostgreSQL 15, which is installed first if this process is root. */
export function installPostgres15(): Program {
  return findOrInstall("/usr/lib/postgresql/15/bin/initdb", "postgresql-15");
}
