import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { foreignness } from "../../database/migrate.ts";
import type { Query } from "../../lib/database/query.ts";
import { migrations } from "../../migrations/index.ts";
import type { Examine } from "./examine.ts";

const VERSION_LEAST = 15;
const FREE_BYTES_LEAST = 256 * 1024 * 1024;

/** Whether PostgreSQL is recent enough. docs/guides/running.md#the-database */
export const examineVersion: Examine = async (query) => {
  const version = await setting(query, "server_version");
  const ok = Number.parseInt(version, 10) >= VERSION_LEAST;
  const remedy = `, but ${VERSION_LEAST} or later is needed: update it, or set DATABASE_URL to another one`;
  return { ok, message: `PostgreSQL ${version} answers${ok ? "" : remedy}` };
};

/** Whether the migrations of this release are applied, all of them and no others. docs/guides/running.md#migrations */
export const examineMigrations: Examine = async (query) => {
  const [table] = await query<{ there: boolean }>("select to_regclass('migrations') is not null as there", []);
  const applied = table?.there ? await query<{ name: string }>("select name from migrations", []) : [];
  const names = new Set(applied.map(({ name }) => name));
  const refusal = foreignness([...names]);
  if (refusal !== null) return { ok: false, message: refusal };
  const missing = migrations.map(({ name }) => name).filter((name) => !names.has(name));
  if (missing.length > 0)
    return { ok: false, message: `${missing.join(", ")} not applied: run migrate, or start the server` };
  return { ok: true, message: `all ${names.size} applied` };
};

/** Whether a write that was acknowledged survives a crash of the machine. docs/guides/growing.md#trust */
export const examineDurability: Examine = async (query) => {
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
};

/** Whether the database can hold any Unicode text. */
export const examineEncoding: Examine = async (query) => {
  const encoding = await setting(query, "server_encoding");
  const ok = encoding === "UTF8";
  return { ok, message: ok ? encoding : `${encoding}: make the database anew with encoding UTF8` };
};

/** Whether the database takes writes, and the embedded one has room for them. */
export const examineDisk: Examine = async (query, env) => {
  const [row] = await query<{ standby: boolean }>("select pg_is_in_recovery() as standby", []);
  if (row?.standby)
    return { ok: false, message: "this is a standby, which takes no writes: set DATABASE_URL to the primary" };
  if ((await setting(query, "default_transaction_read_only")) === "on")
    return { ok: false, message: "the database is set to read only: set default_transaction_read_only to off" };
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
  const { bavail, bsize } = statfsSync(env.dataDir);
  const freeMib = Math.round((bavail * bsize) / 1024 / 1024);
  const ok = bavail * bsize >= FREE_BYTES_LEAST;
  return { ok, message: `${env.dataDir} takes writes, ${freeMib} MiB are free${ok ? "" : ": make room"}` };
};

async function setting(query: Query, name: string): Promise<string> {
  const [row] = await query<{ value: string }>("select current_setting($1) as value", [name]);
  return row?.value ?? "";
}
