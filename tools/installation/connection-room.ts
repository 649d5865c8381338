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
