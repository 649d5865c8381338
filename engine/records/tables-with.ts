import type { Uuid } from "../../base/values/ids.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";

/** A table, and the column of it in which records stand. An index begins with the workspace and this column. */
export type NamingColumn = readonly [table: string, column: string];

/** Names of those tables that have a row with any of these records. One statement. */
export async function tablesWith(
  query: Query,
  workspaceId: Uuid,
  columns: readonly NamingColumn[],
  uuids: Uuid[],
): Promise<Set<string>> {
  const parts = columns.map(
    ([table, column]) =>
      `select '${table}' where exists (select from ${table} where workspace_id = $1 and ${column} = any($2::uuid[]))`,
  );
  const found = await query<TextRow>(parts.join(" union all "), [workspaceId, printUuids(uuids)], "texts");
  return new Set(found.flatMap(([table]) => table ?? []));
}
