import { toId, type Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { inParts } from "./candidates.ts";
import type { Marks } from "./marks.ts";
import { PLACES, type Told } from "./places.ts";
import { searched } from "./searched.ts";

/** A row of a table as JSON, with the uuid that the report shows. */
export interface ToldRow {
  table: string;
  id: Uuid;
  text: string;
}

/**
 * The ids of things of others that name a person in their texts. Whether they mean the person nobody but a reader can tell, so they are
 * told and not changed.
 * @param leftOf the text of a row that is not the person's own; null for one that is
 */
export async function namedElsewhere(
  query: Query,
  workspaceId: Uuid,
  marks: Marks,
  leftOf: (row: ToldRow) => string | null,
): Promise<string[]> {
  const found = new Set<string>();
  for (const [table, { told }] of Object.entries(PLACES)) {
    if (!told) continue;
    for await (const { id, text } of rowsThatMayName(query, workspaceId, marks, { table, told })) {
      // Most rows hold no mark, and need not be read as JSON.
      const left = marks.areIn(text) ? leftOf({ table, id, text }) : null;
      if (left !== null && marks.areIn(left)) found.add(toId(told.kind, id));
    }
  }
  return [...found];
}

async function* rowsThatMayName(
  query: Query,
  workspaceId: Uuid,
  { patterns }: Marks,
  { table, told: { id = "id" } }: { table: string; told: Told },
): AsyncGenerator<{ id: Uuid; text: string }> {
  const select = `select t.${id} as id, row_to_json(t)::text as text
    from ${table} t where t.workspace_id = $1 and ${searched("row_to_json(t)::text")} like any($2::text[]) order by 1`;
  for await (const rows of inParts<{ id: Uuid; text: string }>(query, select, [workspaceId, patterns])) yield* rows;
}
