import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { freeBytes } from "contact-workspace-postgres";
import type { Env } from "../../config/env.ts";
import type { Query } from "../../database/query.ts";

/**
 * Connections that every process opens beside DATABASE_POOL; the lanes of its services come on top.
 * docs/guides/deploying.md#pool-sizes
 */
const BESIDE_POOL = 6;

/** Number of connections that PostgreSQL lets this role open to this database, those of other processes among them. */
export async function connectionsAllowed(query: Query): Promise<number> {
  const [row] = await query<{ most: number }>(
    `select least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
         - coalesce(current_setting('reserved_connections', true)::int, 0),
       nullif(rolconnlimit, -1), nullif(datconnlimit, -1)) as most
     from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
    [],
  );
  return row?.most ?? 0;
}

/** Warning when PostgreSQL does not allow as many connections as one process may need: one sentence, or null. */
export function connectionWarning(allowed: number, { databasePool }: Pick<Env, "databasePool">): string | null {
  const needed = databasePool + BESIDE_POOL;
  return allowed < needed
    ? `PostgreSQL allows ${allowed} connections, and a process opens ${needed} and more: raise max_connections, or the limit of the role or database, or lower DATABASE_POOL`
    : null;
}

const MIB = 1024 * 1024;
/** PostgreSQL ends when there is no room for its log, which grows by 16 MiB at a time. */
const FREE_BYTES_LEAST = 256 * MIB;

/** Number of free bytes for a folder, which need not exist yet. */
export function freeBytesFor(folder: string): number {
  const path = resolve(folder);
  return existsSync(path) ? freeBytes(path) : freeBytesFor(dirname(path));
}

/** Warning about the disk of the embedded database: one sentence, or null when there is room. */
export function diskWarning({ databaseUrl, dataDir }: Env): string | null {
  if (databaseUrl !== undefined) return null;
  const free = freeBytesFor(dataDir);
  return free < FREE_BYTES_LEAST
    ? `${dataDir} has only ${Math.floor(free / MIB)} MiB left: free some space, because PostgreSQL stops when none is left`
    : null;
}
