import { placements } from "../../database/citus/placements.ts";
import { hasCitus } from "../../database/has-citus.ts";
import type { Query } from "../../database/query.ts";

/**
 * Whether each table of a database of Citus stands where it is to stand, and all of its machines take part.
 * docs/guides/citus.md#where-tables-stand
 */
export async function examinePlacements(query: Query) {
  if (!(await hasCitus(query))) return { ok: true, message: "all tables are on this PostgreSQL" };
  const tables = await placements(query);
  const wrong = tables.filter(({ wanted, found, isTogether }) => wanted !== found || !isTogether);
  if (wrong.length > 0)
    return { ok: false, message: `${wrong.map(({ table }) => table).join(", ")} stand elsewhere: run migrate` };
  const [nodes] = await query<{ workers: number; away: string[] }>(
    `select count(*) filter (where groupid <> 0)::int as workers,
       coalesce(array_agg(nodename || ':' || nodeport) filter (where not isactive or not metadatasynced), '{}') as away
     from pg_dist_node where noderole = 'primary'`,
    [],
  );
  if (nodes && nodes.away.length > 0)
    return {
      ok: false,
      message: `${nodes.away.join(", ")} take no part: run "select citus_activate_node('HOST', PORT)"`,
    };
  return { ok: true, message: `${tables.length} tables are placed, with ${nodes?.workers ?? 0} workers` };
}
