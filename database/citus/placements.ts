import type { Query } from "../query.ts";

/**
 * A table of a database of Citus is divided among the workers by workspace, or each machine has a copy, or the
 * coordinator alone has it. docs/guides/citus.md#where-tables-stand
 */
export type Placement = "distributed" | "reference" | "local";

export interface PlacedTable {
  table: string;
  /** The column by which it is to be divided; null for another placement. */
  column: string | null;
  wanted: Placement;
  found: Placement;
  /** Whether it stands with the rows of other tables of the same workspace. True for another placement. */
  isTogether: boolean;
}

/** These tables are asked before the workspace is known. */
const DIRECTORIES = ["workspace_slugs", "key_hashes"];
/** The release before Citus wrote into it. It is empty, and its key has no workspace. */
const EMPTY = ["outbox"];

/**
 * Our tables, those first to which others refer, with where they stand and are to stand. Partitions stand with their
 * table. A table that a crash may empty is never divided: such a table cannot be moved to another worker.
 */
export function placements(query: Query): Promise<PlacedTable[]> {
  return query<PlacedTable>(PLACEMENTS, [DIRECTORIES, EMPTY]);
}

const PLACEMENTS = `/* background */
with ours as (
  select c.oid, c.relname::text as name, case
      when c.relname = any($1::text[]) then 'reference'
      when c.relpersistence = 'u' or c.relname = any($2::text[]) or a.attname is null then 'local'
      else 'distributed' end as wanted,
    a.attname::text as column
  from pg_class c left join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    and a.attname = case c.relname when 'workspaces' then 'id' else 'workspace_id' end
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
)
select name as "table", case wanted when 'distributed' then o.column end as column, wanted,
  case p.partmethod when 'h' then 'distributed' when 'n' then 'reference' else 'local' end as found,
  wanted <> 'distributed' or p.colocationid is not distinct from w.colocationid as "isTogether"
from ours o left join pg_dist_partition p on p.logicalrelid = o.oid
left join pg_dist_partition w on w.logicalrelid = 'workspaces'::regclass
order by name <> 'workspaces', name`;

/** Whether each table stands where it is to stand. */
export async function arePlaced(query: Query): Promise<boolean> {
  return (await placements(query)).every(({ wanted, found, isTogether }) => wanted === found && isTogether);
}
