import type { Uuid } from "../../base/values/ids.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { SqlType } from "../../model/fields/field.ts";
import type { WriteContext } from "./draft.ts";

// A set of rows is sent as one JSON document, or as an array for each column. Either way the text of a statement does
// not tell how many rows there are, so it stays prepared. All rows are of the caller's workspace and do not name it.

type Row = Record<string, unknown>;
/** Column → its type, in the order of sending. */
export type Columns = Record<string, SqlType>;

/** Inserts rows in their order, and gives what `tail` returns of them. Without rows no SQL is run. */
export async function insertRows<Returned>(
  { query, caller }: WriteContext,
  table: string,
  columns: Columns,
  rows: Row[],
  tail = "",
): Promise<Returned[]> {
  if (rows.length === 0) return [];
  const set = rowSet(table, columns, rows);
  const names = Object.keys(columns);
  return query<Returned>(
    `insert into ${table} (workspace_id, ${names.join(", ")}) select $1, ${names.map(set.column).join(", ")} from ${set.sql} ${tail}`,
    [caller.workspaceId, ...set.values],
  );
}

/** Sets these columns of the rows with these ids. Without rows no SQL is run. */
export async function updateRows(
  { query, caller }: WriteContext,
  table: string,
  columns: Columns,
  rows: Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const set = rowSet(table, { id: "uuid", ...columns }, rows);
  const changes = Object.keys(columns).map((name) => `${name} = ${set.column(name)}`);
  await query(
    `update ${table} r set ${changes.join(", ")} from ${set.sql} where r.workspace_id = $1 and r.id = ${set.column("id")}`,
    [caller.workspaceId, ...set.values],
  );
}

/** Deletes the rows that have the same values in these columns. Without rows no SQL is run. */
export async function deleteRows(
  { query, caller }: WriteContext,
  table: string,
  columns: Columns,
  rows: Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const set = rowSet(table, columns, rows);
  const same = Object.keys(columns).map((name) => `r.${name} = ${set.column(name)}`);
  await query(`delete from ${table} r using ${set.sql} where r.workspace_id = $1 and ${same.join(" and ")}`, [
    caller.workspaceId,
    ...set.values,
  ]);
}

/**
 * Rows as a source that a statement selects from: its SQL, the SQL of one of its columns, and the values of its
 * placeholders after $1.
 */
interface RowSet {
  sql: string;
  column(name: string): string;
  values: string[];
}

/**
 * Number of rows from which on PostgreSQL reads arrays faster than JSON, which names each column in each row: a hundred
 * people in two thirds of the time. For few rows arrays are slower, by a call for each column.
 * docs/decisions/0008-batches.md
 */
const ROWS_AS_ARRAYS = 16;

function rowSet(table: string, columns: Columns, rows: Row[]): RowSet {
  return rows.length < ROWS_AS_ARRAYS ? asJson(table, rows) : asArrays(columns, rows);
}

function asJson(table: string, rows: Row[]): RowSet {
  return {
    sql: `json_populate_recordset(null::${table}, $2::json) n`,
    column: (name) => `n.${name}`,
    values: [JSON.stringify(rows)],
  };
}

function asArrays(columns: Columns, rows: Row[]): RowSet {
  const entries = Object.entries(columns);
  const arrays = entries.map(([, type], i) => `$${i + 2}::${sentAs(type)}[]`);
  return {
    sql: `unnest(${arrays.join(", ")}) n(${Object.keys(columns).join(", ")})`,
    column: (name) => (columns[name] === "uuid[]" ? `n.${name}::uuid[]` : `n.${name}`),
    values: entries.map(([name, type]) => `{${rows.map((row) => printed(type, row[name])).join(",")}}`),
  };
}

/** Lists within a list would all have to be of one length, so each is sent as a text. */
function sentAs(type: SqlType): SqlType {
  return type === "uuid[]" ? "text" : type;
}

/** An entry of an array literal. Values without a character that has a meaning in such a literal need no quotes. */
function printed(type: SqlType, stored: unknown): string {
  if (stored === null || stored === undefined) return "NULL";
  switch (type) {
    case "uuid[]":
      return `"${printUuids(stored as Uuid[])}"`;
    case "json":
      return quoted(JSON.stringify(stored));
    case "text":
    case "bytea":
      return quoted(stored as string);
    case "timestamptz":
      return (stored as Date).toISOString();
    default:
      return String(stored);
  }
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}
