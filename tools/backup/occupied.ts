import { Refusal } from "contact-workspace-postgres/refusal";
import { migrations } from "../../database/migrations/index.ts";
import type { Query } from "../../database/query.ts";
import { identifier, storedTables } from "./tables.ts";

/** Number of workspaces in a database that has our tables. */
export async function workspacesIn(query: Query): Promise<number> {
  const [table] = await query<{ there: boolean }>("select to_regclass('workspaces') is not null as there", []);
  if (!table?.there) return 0;
  const [row] = await query<{ count: number }>("select count(*)::int as count from workspaces", []);
  return row?.count ?? 0;
}

/**
 * A server keeps in memory what it has read, and would write that into the restored database.
 * @throws Error when a server or a command is at work on the database
 */
export async function refuseInUse(query: Query): Promise<void> {
  const [row] = await query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
       and application_name like 'contact-workspace%' and application_name not like '% migrate'`,
    [],
  );
  if (row && row.count > 0)
    throw new Refusal("A server, or a command, is at work on this database: stop it, and then restore.");
}

/** Removes what the migrations have made, and nothing else, so that they can make it anew. */
export async function removeOurs(query: Query): Promise<void> {
  const tables = (await storedTables(query)).map(({ name }) => identifier(name));
  await query(`drop table if exists ${[...tables, "migrations", "migrations_lock"].join(", ")} cascade`, []);
  const functions = await query<{ signature: string }>(
    `select p.oid::regprocedure::text as signature from pg_proc p join pg_namespace n on n.oid = pronamespace
     where nspname = current_schema() and proname = any($1)`,
    [migrations.flatMap((migration) => migration.functions)],
  );
  for (const { signature } of functions) await query(`drop function ${signature} cascade`, []);
}
