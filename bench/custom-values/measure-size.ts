import type { Loaded } from "./runs.ts";
import { cell } from "./table.ts";

/** What the tables and indexes take, freshly loaded. */
export async function measureSize({ client, design }: Loaded): Promise<void> {
  const sizes = await client.query(
    `select c.relname, case when c.relkind = 'i' then pg_relation_size(c.oid) else pg_table_size(c.oid) end::bigint as bytes, c.relkind
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = current_schema() and c.relkind in ('r', 'i') and c.relname ~ '^(people|person_)' order by 1`,
  );
  const megabytes = (kind: string) =>
    mb(sizes.rows.filter((row) => row.relkind === kind).reduce((sum, row) => sum + Number(row.bytes), 0));
  cell("Size", "tables, MB", design.key, megabytes("r"));
  cell("Size", "indexes, MB", design.key, megabytes("i"));
  if (design.create.includes("person_values")) {
    for (const row of sizes.rows)
      if (row.relname.startsWith("person_values"))
        cell("Size of the typed rows, MB", row.relname, design.key, mb(Number(row.bytes)));
    const count = await client.query("select count(*) from person_values");
    cell("Size", "typed rows", design.key, count.rows[0].count);
  }
}

/** Bytes as whole megabytes. */
export const mb = (bytes: number): string => (bytes / 1024 / 1024).toFixed(0);
