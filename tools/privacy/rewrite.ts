import type { Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";

/** Rows that are changed by one statement. One may be as long as a mail. */
const ROWS = 200;

/** Columns of a table, with their types, and the column by whose values rows are named. */
interface Rewritten {
  workspaceId: Uuid;
  table: string;
  columns: Record<string, "text" | "json" | "jsonb">;
  key?: { column: string; type: "uuid" | "bigint" };
}

/**
 * Gives columns of rows other values. Rows are locked and read anew, since another person may be taken out of them at
 * the same time.
 * @param change the values for each of some rows, JSON as a text
 * @returns how many rows there were
 */
export async function rewrite<Row>(
  query: Query,
  { workspaceId, table, columns, key: { column, type } = { column: "id", type: "uuid" } }: Rewritten,
  keys: readonly string[],
  change: (rows: (Row & { key: string })[]) => Record<string, unknown>[] | Promise<Record<string, unknown>[]>,
): Promise<number> {
  const names = Object.keys(columns);
  let count = 0;
  for (let from = 0; from < keys.length; from += ROWS) {
    const rows = await query<Row & { key: string }>(
      `select t.${column}::text as key, ${names.map((name) => `t.${name}`).join(", ")}
       from unnest($2::${type}[]) l (key) join ${table} t on t.${column} = l.key
       where t.workspace_id = $1 order by t.${column} for update of t`,
      [workspaceId, keys.slice(from, from + ROWS)],
    );
    const left = await change(rows);
    await query(
      `update ${table} t set ${names.map((name) => `${name} = l.${name}::${columns[name]}`).join(", ")}
       from unnest($2::${type}[], ${names.map((_, i) => `$${i + 3}::text[]`).join(", ")}) l (key, ${names.join(", ")})
       where t.workspace_id = $1 and t.${column} = l.key`,
      [workspaceId, rows.map(({ key }) => key), ...names.map((name) => left.map((row) => row[name]))],
    );
    count += rows.length;
  }
  return count;
}
