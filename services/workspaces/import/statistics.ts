import type { Query } from "../../../database/query.ts";

/** Tables of which more than half has changed since PostgreSQL has looked at them. */
const OUTGROWN = `
select string_agg(quote_ident(relname), ', ' order by relname) as tables from pg_stat_user_tables
where schemaname = current_schema() and n_mod_since_analyze > 1000 and n_mod_since_analyze > n_live_tup / 2`;

/**
 * Has PostgreSQL look at the tables that have outgrown what it knows of them. It does so by itself a minute later; until then it plans
 * as for tables of a few rows, and each row of an import into an empty database takes five times as long.
 */
export async function refreshStatistics(query: Query): Promise<void> {
  const [row] = await query<{ tables: string | null }>(OUTGROWN, []);
  // A table that another process analyzes just now is left out, instead of waiting for it.
  if (row?.tables) await query(`analyze (skip_locked) ${row.tables}`, []);
}
