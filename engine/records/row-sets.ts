import type { Uuid } from "../../base/values/ids.ts";
import { textArray, uuidArray } from "../../database/array-parameter.ts";
import { createBinder } from "../../database/binder.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { SqlType } from "../../model/fields/field.ts";
import type { WriteContext } from "./draft.ts";

// A set of rows is sent as one JSON document, or as an array for each column. Either way the text of a statement does
// not tell how many rows there are, so it stays prepared. All rows are of the caller's workspace and do not name it.

type Row = Record<string, unknown>;
/** Column → its type, in the order of sending. A shared uuid is that of many rows, so it is sent once for all. */
export type Columns = Record<string, SqlType | "shared uuid">;

/** Rows that a transaction writes into tables. Nothing is sent for a set without rows. */
export interface RowSets {
  /** Inserts rows in their order. */
  insert(table: string, columns: Columns, rows: Row[]): void;
  /** Sets these columns of the rows with these ids. */
  update(table: string, columns: Columns, rows: Row[]): void;
  /** Deletes the rows that have the same values in these columns. */
  delete(table: string, columns: Columns, rows: Row[]): void;
  /** Deletes the rows that have one of these uuids in a column. */
  deleteOf(table: string, column: string, uuids: Uuid[]): void;
  /** Sends what is left, and waits until all is written. */
  written(): Promise<void>;
}

/** A set that waits to be sent with others. */
interface Part {
  table: string;
  /** SQL of its statement, with the source of its rows. */
  sql(set: RowSet): string;
  set(bind: Bind): RowSet;
}

type Bind = (value: unknown) => string;

/** The transaction that writes sets, and the workspace of their rows. */
interface Writing extends Pick<WriteContext, "query" | "isCitus"> {
  caller: Pick<WriteContext["caller"], "workspaceId">;
}

/**
 * Gathers sets of rows. Small ones go together in one statement, for each table one: a statement costs as much as
 * writing a few rows. A set of a table that is in it already goes with the next statement, since the parts of one do
 * not see each other. On Citus each goes by itself, because there the parts of a statement cost more than statements.
 * docs/decisions/0008-batches.md
 */
export function createRowSets({ query, caller, isCitus = false }: Writing): RowSets {
  const sent: Promise<unknown>[] = [];
  let waiting: Part[] = [];

  function send(parts: readonly Part[]): void {
    const bind = createBinder();
    bind(caller.workspaceId);
    const statements = parts.map(({ sql, set }) => sql(set(bind)));
    const last = statements.pop();
    if (last === undefined) return;
    const before = statements.map((statement, i) => `part${i} as (${statement})`);
    sent.push(query(before.length > 0 ? `with ${before.join(", ")} ${last}` : last, bind.values));
  }

  function flush(): void {
    const parts = waiting;
    waiting = [];
    send(parts);
  }

  function addPart(part: Part): void {
    if (isCitus || waiting.some(({ table }) => table === part.table)) flush();
    waiting.push(part);
  }

  function add(table: string, columns: Columns, rows: Row[], sql: Part["sql"]): void {
    if (rows.length > 0) addPart({ table, sql, set: (bind) => rowSet(table, columns, rows, bind) });
  }

  /** A set of many rows takes PostgreSQL some time, so it goes out at once. */
  function addAndSend(table: string, columns: Columns, rows: Row[], sql: Part["sql"]): void {
    add(table, columns, rows, sql);
    if (rows.length >= MANY_ROWS) flush();
  }

  return {
    insert(table, columns, rows) {
      if (isCitus && rows.length > 0 && rows.length < MANY_ROWS) addPart(listed(table, columns, rows));
      else addAndSend(table, columns, rows, (set) => insertSql(table, columns, set));
    },
    update: (table, columns, rows) =>
      addAndSend(table, { id: "uuid", ...columns }, rows, (set) => {
        const changes = Object.keys(columns).map((name) => `${name} = ${set.column(name)}`);
        const from = set.sql === null ? "" : ` from ${set.sql}`;
        return `update ${table} r set ${changes.join(", ")}${from} where r.workspace_id = $1 and r.id = ${set.column("id")}`;
      }),
    delete: (table, columns, rows) =>
      add(table, columns, rows, (set) => {
        const same = Object.keys(columns).map((name) => `r.${name} = ${set.column(name)}`);
        const using = set.sql === null ? "" : ` using ${set.sql}`;
        return `delete from ${table} r${using} where r.workspace_id = $1 and ${same.join(" and ")}`;
      }),
    deleteOf(table, column, uuids) {
      if (uuids.length === 0) return;
      addPart({
        table,
        sql: (set) => `delete from ${table} where workspace_id = $1 and ${column} = ${set.column(column)}`,
        set: (bind) => ({ sql: null, column: () => `any(${bind(printUuids(uuids))}::uuid[])` }),
      });
    },
    async written() {
      flush();
      await Promise.all(sent);
    },
  };
}

/** Inserts rows in their order by a statement of their own, and gives what `tail` returns of them. */
export async function insertReturning<Returned>(
  { query, caller }: WriteContext,
  table: string,
  columns: Columns,
  rows: Row[],
  tail: string,
): Promise<Returned[]> {
  if (rows.length === 0) return [];
  const bind = createBinder();
  bind(caller.workspaceId);
  return query<Returned>(`${insertSql(table, columns, rowSet(table, columns, rows, bind))} ${tail}`, bind.values);
}

function insertSql(table: string, columns: Columns, set: RowSet): string {
  const names = Object.keys(columns);
  const from = set.sql === null ? "" : ` from ${set.sql}`;
  return `insert into ${table} (workspace_id, ${names.join(", ")}) select $1, ${names.map(set.column).join(", ")}${from}`;
}

/**
 * A few rows for Citus. It sends an insert of values to a worker as it is; of one that selects it makes a COPY and a
 * commit in two phases, which costs three times as much.
 */
function listed(table: string, columns: Columns, rows: Row[]): Part {
  const list = (row: Row, bind: Bind) =>
    Object.entries(columns).map(([name, type]) => `${bind(parameterOf(type, row[name]))}::${typeOf(type)}`);
  return {
    table,
    sql: ({ sql }) => `insert into ${table} (workspace_id, ${Object.keys(columns).join(", ")}) ${sql}`,
    set: (bind) => ({
      sql: `values ${rows.map((row) => `($1, ${list(row, bind).join(", ")})`).join(", ")}`,
      column: (name) => name,
    }),
  };
}

/** Rows as a source that a statement selects from: its SQL, null for one row, and the SQL of one of its columns. */
interface RowSet {
  sql: string | null;
  column(name: string): string;
}

/**
 * Number of rows from which on a set is sent at once, so that PostgreSQL works while the next is put together, and from
 * which on PostgreSQL reads arrays faster than JSON, which names each column in each row: a hundred
 * people in two thirds of the time. For few rows arrays are slower, by a call for each column.
 * docs/decisions/0008-batches.md
 */
const MANY_ROWS = 16;

function rowSet(table: string, columns: Columns, rows: Row[], bind: Bind): RowSet {
  const [row] = rows;
  if (row && rows.length === 1 && "id" in columns) return asValues(columns, row, bind);
  return rows.length < MANY_ROWS ? asJson(table, rows, bind) : asArrays(columns, rows, bind);
}

/**
 * The one row of a record, whose every column is a value of the statement. Of rows without an id there may be any
 * number, and the text of a statement with few of them should not tell whether it is one.
 */
function asValues(columns: Columns, row: Row, bind: Bind): RowSet {
  const sql = new Map(
    Object.entries(columns).map(([name, type]) => [name, `${bind(parameterOf(type, row[name]))}::${typeOf(type)}`]),
  );
  return { sql: null, column: (name) => sql.get(name) ?? "null" };
}

function parameterOf(type: Columns[string], stored: unknown): unknown {
  if (stored === null || stored === undefined) return null;
  switch (type) {
    case "uuid[]":
      return printUuids(stored as Uuid[]);
    case "json":
      return JSON.stringify(stored);
    case "timestamptz":
      return (stored as Date).toISOString();
    default:
      return stored;
  }
}

function typeOf(type: Columns[string]): SqlType {
  return type === "shared uuid" ? "uuid" : type;
}

function asJson(table: string, rows: Row[], bind: Bind): RowSet {
  return {
    sql: `json_populate_recordset(null::${table}, ${bind(JSON.stringify(rows))}::json) n`,
    column: (name) => `n.${name}`,
  };
}

function asArrays(columns: Columns, rows: Row[], bind: Bind): RowSet {
  const sql: Record<string, string> = {};
  const arrays = Object.entries(columns).map(([name, type]) => {
    sql[name] = SENT_AS_TEXT[type]?.(`n.${name}`) ?? `n.${name}`;
    const values = rows.map((row) => row[name]);
    if (type !== "shared uuid") return arrayOf(type, values, bind);
    const shared = new Map<unknown, number>();
    for (const value of values) if (!shared.has(value)) shared.set(value, shared.size + 1);
    sql[name] = `(${bind(uuidArray([...shared.keys()] as Uuid[]))}::uuid[])[n.${name}]`;
    return `${bind(`{${values.map((value) => shared.get(value)).join(",")}}`)}::int[]`;
  });
  return {
    sql: `unnest(${arrays.join(", ")}) n(${Object.keys(columns).join(", ")})`,
    column: (name) => sql[name] ?? `n.${name}`,
  };
}

function arrayOf(type: SqlType, values: unknown[], bind: Bind): string {
  switch (type) {
    case "uuid":
      return `${bind(uuidArray(values as Uuid[]))}::uuid[]`;
    case "text":
    case "tsvector":
      return `${bind(textArray(values as string[]))}::text[]`;
    case "json":
      return `${bind(
        textArray(
          values.map((value) => parameterOf(type, value) as string),
          "json",
        ),
      )}::json[]`;
    default:
      return `${bind(`{${values.map((value) => printed(type, value)).join(",")}}`)}::${type in SENT_AS_TEXT ? "text" : type}[]`;
  }
}

/**
 * Types whose values are sent in an array as texts, and the SQL of such a text's value. Lists within a list would all
 * have to be of one length, so each is sent with commas between. The casts are immutable, which that of the text of an
 * array is not: Citus takes no other in an update.
 */
const SENT_AS_TEXT: Partial<Record<Columns[string], (column: string) => string>> = {
  "uuid[]": (column) => `string_to_array(${column}, ',')::uuid[]`,
  tsvector: (column) => `${column}::tsvector`,
};

/** An entry of the text of an array. No value of these types has a character that needs more than these quotes. */
function printed(type: SqlType, stored: unknown): string {
  const value = parameterOf(type, stored);
  if (value === null) return "NULL";
  if (type === "bytea") return `"${String(value).replaceAll("\\", "\\\\")}"`;
  return type === "uuid[]" ? `"${String(value).slice(1, -1)}"` : String(value);
}
