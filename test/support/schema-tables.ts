import type { Query } from "../../database/query.ts";

/** A table as migrations have made it. */
export interface SchemaTable {
  name: string;
  /** In their order, with the types as PostgreSQL writes them: `json`, `uuid[]`. */
  columns: { name: string; type: string }[];
}

/**
 * All tables of a database by their names, except those in which Knex notes the migrations. The partitions of a table
 * are no tables of their own.
 */
export function schemaTables(query: Query): Promise<SchemaTable[]> {
  return query<SchemaTable>(
    `select c.relname::text as name,
       (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, null)) order by attnum)
        from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition and c.relname not like 'migrations%'
     order by c.relname collate "C"`,
    [],
  );
}
