import { printUuids } from "../database/uuid-list.ts";
import type { SqlType } from "../fields/field.ts";
import type { Uuid } from "../values/ids.ts";
import type { Writing } from "./draft.ts";

// A set of rows is sent as an array for each column. So the text of a statement is the same for one record and for a hundred, and
// it stays prepared. JSON of the rows would name each column in each row, and take PostgreSQL nearly twice as long to read
// (docs/decisions/0008-batches.md). All rows are of the caller's workspace and do not name it.

type Row = Record<string, unknown>;
/** Column → its type, in the order in which they are sent. */
export type Columns = Record<string, SqlType>;

/** Inserts rows in their order, and gives what `tail` returns of them. Without rows no SQL is run. */
export async function insertRows<Returned>(
  { query, caller }: Writing,
  table: string,
  columns: Columns,
  rows: Row[],
  tail = "",
): Promise<Returned[]> {
  if (rows.length === 0) return [];
  const names = Object.keys(columns);
  return query<Returned>(
    `insert into ${table} (workspace_id, ${names.join(", ")}) select $1, ${names.map((name) => given(columns, name)).join(", ")} from ${rowSet(columns)} ${tail}`,
    [caller.workspaceId, ...listsOf(columns, rows)],
  );
}

/** Sets these columns of the rows with these ids. Without rows no SQL is run. */
export async function updateRows(
  { query, caller }: Writing,
  table: string,
  columns: Columns,
  rows: Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const all: Columns = { id: "uuid", ...columns };
  const set = Object.keys(columns).map((name) => `${name} = ${given(columns, name)}`);
  await query(`update ${table} r set ${set.join(", ")} from ${rowSet(all)} where r.workspace_id = $1 and r.id = n.id`, [
    caller.workspaceId,
    ...listsOf(all, rows),
  ]);
}

/** Deletes the rows that have the same values in these columns. Without rows no SQL is run. */
export async function deleteRows(
  { query, caller }: Writing,
  table: string,
  columns: Columns,
  rows: Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const same = Object.keys(columns).map((name) => `r.${name} = n.${name}`);
  await query(`delete from ${table} r using ${rowSet(columns)} where r.workspace_id = $1 and ${same.join(" and ")}`, [
    caller.workspaceId,
    ...listsOf(columns, rows),
  ]);
}

/** SQL of the rows as `n`, from the placeholders behind $1. */
function rowSet(columns: Columns): string {
  const lists = Object.values(columns).map((type, i) => `$${i + 2}::${sentAs(type)}[]`);
  return `unnest(${lists.join(", ")}) n(${Object.keys(columns).join(", ")})`;
}

/** SQL of a column of the rows. */
function given(columns: Columns, name: string): string {
  const type = columns[name];
  return type === undefined || sentAs(type) === type ? `n.${name}` : `n.${name}::${type}`;
}

/** Lists within a list would all have to be of the same length, so each is sent as a text. */
function sentAs(type: SqlType): SqlType {
  return type === "uuid[]" ? "text" : type;
}

function listsOf(columns: Columns, rows: Row[]): string[] {
  return Object.entries(columns).map(([name, type]) => {
    const print = PRINTED[type];
    return `{${rows.map((row) => (row[name] === null || row[name] === undefined ? "NULL" : print(row[name]))).join(",")}}`;
  });
}

/** How an entry of an array is written. What holds none of the signs of an array needs no quotes. */
const PRINTED: Record<SqlType, (stored: unknown) => string> = {
  uuid: String,
  "uuid[]": (stored) => `"${printUuids(stored as Uuid[])}"`,
  text: (stored) => quoted(stored as string),
  json: (stored) => quoted(JSON.stringify(stored)),
  bytea: (stored) => quoted(stored as string),
  date: String,
  numeric: String,
  smallint: String,
  timestamptz: (stored) => (stored as Date).toISOString(),
};

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}
