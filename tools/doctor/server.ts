import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freeBytes } from "contact-workspace-postgres";
import type { Env } from "../../config/env.ts";
import { lastBackupMs } from "../../database/last-backup.ts";
import {
  appliedMigrations,
  inWords,
  isUpToDate,
  laterMigrations,
  mayNotRunOn,
  missingMigrations,
} from "../../database/migrate/migration-state.ts";
import { fitness, refuseSharedSessions, refuseUnprepared } from "../../database/migrate/unfit.ts";
import type { Query } from "../../database/query.ts";
import { schemaDifference } from "../../database/schema/difference.ts";
import { connectionsAllowed, connectionWarning, diskWarning } from "../installation/room.ts";

/** Whether PostgreSQL is recent enough, and no pooler before it mixes sessions. docs/guides/database.md#the-database */
export async function examineVersion(query: Query, { databaseUrl }: Env) {
  const { version, faults } = await fitness(query);
  if (databaseUrl !== undefined) await refuseSharedSessions(databaseUrl);
  return { ok: faults.version === null, message: faults.version ?? `PostgreSQL ${version} answers` };
}

/**
 * Checks that the migrations of this release are applied, with their present content, and no others but those on which
 * it may run. docs/guides/database.md#migrations
 */
export async function examineMigrations(query: Query) {
  const applied = await appliedMigrations(query);
  const refusal = mayNotRunOn(applied);
  if (refusal !== null) return { ok: false, message: refusal };
  // Words of its own tell when the role could not apply them.
  if (applied.length === 0) await refuseUnprepared(query);
  const missing = missingMigrations(applied).map(({ name }) => name);
  if (missing.length > 0)
    return { ok: false, message: `${missing.join(", ")} not applied: run migrate, or start the server` };
  const later = laterMigrations(applied);
  if (later.length > 0)
    return {
      ok: true,
      message: `all ${applied.length - later.length} applied. A later release has applied ${inWords(later)}, and this release may run with that`,
    };
  return {
    ok: true,
    message: `all ${applied.length} applied${isUpToDate(applied) ? "" : ", by a release without checksums"}`,
  };
}

/**
 * Whether tables, indexes, functions and triggers are those that the migrations make.
 * docs/guides/database.md#migrations
 */
export async function examineSchema(query: Query) {
  const applied = await appliedMigrations(query);
  if (missingMigrations(applied).length > 0)
    return { ok: false, message: "is compared when all migrations are applied" };
  if (laterMigrations(applied).length > 0)
    return { ok: true, message: "is not compared, since only the later release knows it: run its doctor" };
  const { faults, additions } = await schemaDifference(query);
  if (faults.length > 0)
    return {
      ok: false,
      message: `${listed(faults)}: the database was changed beside the migrations, or made by an unfinished version. Restore a backup, or make it so by hand as database/migrations/schema.sql says`,
    };
  return {
    ok: true,
    message:
      additions.length === 0 ? "as the migrations make it" : `besides what the migrations make: ${listed(additions)}`,
  };
}

function listed(things: string[]): string {
  return `${things.slice(0, 3).join(", ")}${things.length > 3 ? ` and ${things.length - 3} more` : ""}`;
}

/** Whether PostgreSQL allows the connections of a process. docs/guides/deploying.md#pool-sizes */
export async function examineConnections(query: Query, env: Env) {
  const allowed = await connectionsAllowed(query);
  const warning = connectionWarning(allowed, env);
  return { ok: warning === null, message: warning ?? `PostgreSQL allows ${allowed}` };
}

/** Whether a write that was acknowledged survives a crash of the machine. docs/guides/growing.md#trust */
export async function examineDurability(query: Query) {
  const settings: string[] = [];
  for (const name of ["fsync", "synchronous_commit", "full_page_writes"]) {
    settings.push(`${name}=${await setting(query, name)}`);
  }
  const message = settings.join(", ");
  const ok = !message.includes("=off");
  return {
    ok,
    message: ok ? message : `${message}: switch on what is off, or a power cut loses what was acknowledged`,
  };
}

/** Settings without which PostgreSQL has no statistics for its plans. */
const OF_STATISTICS = ["autovacuum", "track_counts"];

/**
 * Whether PostgreSQL may plan statements well: it gathers statistics, and no method of its planner is switched off for
 * the server, the database or the role. docs/guides/database.md#settings-of-postgresql
 */
export async function examineSettings(query: Query) {
  // The values that a session begins with, before it gets our settings.
  const rows = await query<{ name: string; value: string }>(
    "select name, reset_val as value from pg_settings where name = any($1::text[]) or starts_with(name, 'enable_') order by name",
    [[...OF_STATISTICS, "jit"]],
  );
  const off = rows.filter(({ name, value }) => value === "off" && name !== "jit" && !OFF_BY_DEFAULT.has(name));
  const jit = rows.find(({ name }) => name === "jit")?.value ?? "unknown";
  const message = `autovacuum and the methods of the planner are on, jit=${jit} (off in our sessions)`;
  if (off.length === 0) return { ok: true, message };
  const names = off.map(({ name }) => `${name}=off`).join(", ");
  return { ok: false, message: `${names}: switch them on, or statements get slow as tables grow` };
}

/** Methods of the planner that are off by default in PostgreSQL. */
const OFF_BY_DEFAULT = new Set(["enable_partitionwise_aggregate", "enable_partitionwise_join"]);

/** Whether the database can hold any Unicode text. */
export async function examineEncoding(query: Query) {
  const { encoding, faults } = await fitness(query);
  return { ok: faults.encoding === null, message: faults.encoding ?? encoding };
}

/** Whether the database takes writes, and the embedded one has room for them. */
export async function examineDisk(query: Query, env: Env) {
  const { faults } = await fitness(query);
  if (faults.writes !== null) return { ok: false, message: faults.writes };
  await query(
    "create temporary table doctor_writes as select repeat('x', 1000) as line from generate_series(1, 1000)",
    [],
  );
  await query("drop table doctor_writes", []);
  if (env.databaseUrl !== undefined) return { ok: true, message: "the database takes writes" };
  const file = join(env.dataDir, `doctor-${process.pid}`);
  mkdirSync(env.dataDir, { recursive: true });
  writeFileSync(file, "x");
  rmSync(file);
  const warning = diskWarning(env);
  const freeMib = Math.round(freeBytes(env.dataDir) / 1024 / 1024);
  return { ok: warning === null, message: warning ?? `${env.dataDir} takes writes, ${freeMib} MiB are free` };
}

const HOUR_MS = 3_600_000;

/**
 * Whether the last backup of the command `backup` is recent. Others, of the write-ahead log for example, leave no trace
 * in the database. docs/guides/backups.md#the-age-of-the-last-backup
 */
export async function examineBackup(query: Query, { backupAgeMaxS }: Env) {
  const atMs = await lastBackupMs(query);
  if (atMs === null) return { ok: true, message: 'the command "backup" has made none, and others are not known here' };
  const ageMs = Date.now() - atMs;
  const made = `the last one is as of ${new Date(atMs).toISOString()}`;
  if (ageMs <= backupAgeMaxS * 1000) return { ok: true, message: made };
  return {
    ok: false,
    message: `${made}, ${Math.round(ageMs / HOUR_MS)} hours ago: run backup, find out why its timer did not, or raise BACKUP_AGE_MAX_S`,
  };
}

async function setting(query: Query, name: string): Promise<string> {
  const [row] = await query<{ value: string }>("select current_setting($1) as value", [name]);
  return row?.value ?? "";
}
