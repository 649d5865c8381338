import type { Query } from "../database/query.ts";
import { toId, type Uuid } from "../values/ids.ts";
import type { Marks } from "./marks.ts";
import { PLACES, type Told } from "./places.ts";
import { searched } from "./searched.ts";

/** Rows that are in memory at a time. */
const ROWS = 500;

/**
 * The ids of things of others that name a person in their texts. Whether they mean the person nobody but a reader can tell, so they are
 * told and not changed.
 * @param own uuids of things that are not told
 */
export async function namedElsewhere(
  query: Query,
  workspaceId: Uuid,
  marks: Marks,
  own: ReadonlySet<Uuid> = new Set(),
): Promise<string[]> {
  const found = new Set<string>();
  for (const [table, { told }] of Object.entries(PLACES)) {
    if (!told) continue;
    for await (const { id, text } of rowsThatMayName(query, workspaceId, marks, { table, told }))
      if (!own.has(id) && marks.areIn(text)) found.add(toId(told.kind, id));
  }
  return [...found];
}

/** By a cursor, since a name that is a usual word may stand in nearly all rows. */
async function* rowsThatMayName(
  query: Query,
  workspaceId: Uuid,
  { patterns }: Marks,
  { table, told: { id = "id" } }: { table: string; told: Told },
): AsyncGenerator<{ id: Uuid; text: string }> {
  await query(
    `declare named_elsewhere no scroll cursor for select t.${id} as id, row_to_json(t)::text as text
     from ${table} t where t.workspace_id = $1 and ${searched("row_to_json(t)::text")} like any($2::text[]) order by 1`,
    [workspaceId, patterns],
  );
  for (;;) {
    const rows = await query<{ id: Uuid; text: string }>(`fetch ${ROWS} from named_elsewhere`, []);
    yield* rows;
    if (rows.length < ROWS) break;
  }
  await query("close named_elsewhere", []);
}
