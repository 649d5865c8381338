import type { Writing } from "./draft.ts";

// A set of rows is sent as one JSON document. So the text of a statement is the same for one record and for a hundred, it stays
// prepared, and lists in columns need no unnesting. All rows are of the caller's workspace and do not name it.

type Row = Record<string, unknown>;

/** Inserts rows in their order, and gives what `tail` returns of them. Without rows no SQL is run. */
export async function insertRows<Returned>(
  { query, caller }: Writing,
  table: string,
  columns: string[],
  rows: Row[],
  tail = "",
): Promise<Returned[]> {
  if (rows.length === 0) return [];
  const list = columns.join(", ");
  return query<Returned>(
    `insert into ${table} (workspace_id, ${list}) select $1, ${list} from json_populate_recordset(null::${table}, $2::json) ${tail}`,
    [caller.workspaceId, JSON.stringify(rows)],
  );
}

/** Sets these columns of the rows with these ids. Without rows no SQL is run. */
export async function updateRows(
  { query, caller }: Writing,
  table: string,
  columns: string[],
  rows: Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const set = columns.map((column) => `${column} = n.${column}`).join(", ");
  await query(
    `update ${table} r set ${set} from json_populate_recordset(null::${table}, $2::json) n where r.workspace_id = $1 and r.id = n.id`,
    [caller.workspaceId, JSON.stringify(rows)],
  );
}

/** Deletes the rows that have the same values in these columns. Without rows no SQL is run. */
export async function deleteRows(
  { query, caller }: Writing,
  table: string,
  columns: string[],
  rows: Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const same = columns.map((column) => `r.${column} = n.${column}`).join(" and ");
  await query(
    `delete from ${table} r using json_populate_recordset(null::${table}, $2::json) n where r.workspace_id = $1 and ${same}`,
    [caller.workspaceId, JSON.stringify(rows)],
  );
}
