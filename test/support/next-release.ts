import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { release } from "../../config/release.ts";
import { migrations } from "../../database/migrations/index.ts";
import { ROOT } from "../../lab/harness/server-process.ts";

/** The folders of this checkout that a server runs. */
const PROGRAM = ["base", "bus", "cli", "config", "database", "docs", "engine", "mixins", "model", "services", "tools"];

/** The release after this one: a copy of this checkout with a higher version and one more migration. */
export interface NextRelease {
  root: string;
  version: string;
  migration: string;
  remove(): void;
}

/**
 * Makes it in a temporary folder.
 * @param sql the further migration, without its line "Runs with", which names the last one of this release
 */
export function nextRelease(sql: string): NextRelease {
  const root = mkdtempSync(join(tmpdir(), "contact-workspace-next-"));
  for (const name of PROGRAM) cpSync(join(ROOT, name), join(root, name), { recursive: true });
  cpSync(join(ROOT, "moleculer.config.ts"), join(root, "moleculer.config.ts"));
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  const [major, minor] = release().split(".").map(Number);
  const version = `${major}.${(minor ?? 0) + 1}.0`;
  const manifest: object = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  writeFileSync(join(root, "package.json"), JSON.stringify({ ...manifest, version }));
  const migration = `${String(migrations.length + 1).padStart(4, "0")}-next`;
  const head = `-- Runs with: ${migrations.at(-1)?.name}`;
  writeFileSync(join(root, "database", "migrations", `${migration}.sql`), `${head}\n${sql}`);
  return { root, version, migration, remove: () => rmSync(root, { recursive: true, force: true }) };
}
