import { toId, type Uuid } from "../../base/values/ids.ts";
import { pagesOf } from "../../database/pages.ts";
import type { Query } from "../../database/query.ts";
import { ALL_TABLES } from "../../model/tables.ts";
import { searched } from "./folded-for-search.ts";
import type { Marks } from "./identifiers.ts";

/** A row of a table as JSON, with the uuid that the report shows. */
export interface ToldRow {
  table: string;
  id: Uuid;
  text: string;
}

/**
 * Ids of records of others whose texts name a person. Only a reader can tell whether they mean the person, so they are
 * reported and not changed.
 * @param leftOf the text of a row that is not the person's own; null for one that is
 */
export async function namedElsewhere(
  query: Query,
  workspaceId: Uuid,
  marks: Marks,
  leftOf: (row: ToldRow) => string | null,
): Promise<string[]> {
  const found = new Set<string>();
  for (const { name: table, erasure } of ALL_TABLES) {
    const { told, toldBy = "id" } = erasure;
    if (!told) continue;
    const select = `select t.${toldBy} as id, row_to_json(t)::text as text
      from ${table} t where t.workspace_id = $1 and ${searched("row_to_json(t)::text")} like any($2::text[]) order by 1`;
    // Most rows hold no mark, and need not be read as JSON.
    const isNamed = (row: ToldRow) => marks.areIn(row.text) && marks.areIn(leftOf(row) ?? "");
    for await (const rows of pagesOf<ToldRow>(query, select, [workspaceId, marks.patterns]))
      for (const row of rows) if (isNamed({ ...row, table })) found.add(toId(told, row.id));
  }
  return [...found];
}
