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
 * reported and not changed. An entry of the log is not told beside the thing that it is about.
 * @param leftOf the text of a row that is not the person's own; null for one that is
 */
export async function namedElsewhere(
  query: Query,
  workspaceId: Uuid,
  marks: Marks,
  leftOf: (row: ToldRow) => string | null,
): Promise<string[]> {
  const found = new Map<string, Told>();
  for (const { name: table, erasure } of ALL_TABLES) {
    const { told, toldBy = "id" } = erasure;
    if (!told) continue;
    const select = `select t.${toldBy} as id, row_to_json(t)::text as text
      from ${table} t where t.workspace_id = $1 and ${searched("row_to_json(t)::text")} like any($2::text[]) order by 1`;
    // Most rows hold no mark, and need not be read as JSON.
    const isNamed = (row: ToldRow) => marks.areIn(row.text) && marks.areIn(leftOf(row) ?? "");
    for await (const rows of pagesOf<ToldRow>(query, select, [workspaceId, marks.patterns]))
      for (const row of rows)
        if (isNamed({ ...row, table })) {
          const one = await toldOf(query, workspaceId, { ...row, table });
          found.set(toId(told, one.id), one);
        }
  }
  const all = new Set([...found.values()].map(({ id }) => id));
  return [...found].flatMap(([id, { about }]) => (about !== undefined && all.has(about) ? [] : id));
}

interface Told {
  id: Uuid;
  /** The thing that an entry of the log is about, or a text of it. */
  about?: Uuid;
}

/** The id by which the report names a row. For one in the trash it is that of the entry of the deletion. */
async function toldOf(query: Query, workspaceId: Uuid, { table, id, text }: ToldRow): Promise<Told> {
  if (table !== "change_log" && table !== "log_texts") return { id };
  const { record_id: about, id: textId }: { record_id: Uuid; id: Uuid } = JSON.parse(text);
  if (table === "change_log" || textId !== id) return { id, about };
  const [entry] = await query<{ id: Uuid }>(
    "select id from change_log where workspace_id = $1 and record_id = $2 order by seq desc limit 1",
    [workspaceId, about],
  );
  return { id: entry?.id ?? id, about };
}
