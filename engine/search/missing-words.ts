import type { Uuid } from "../../base/values/ids.ts";
import { textArray, uuidArray } from "../../database/array-parameter.ts";
import { createBinder } from "../../database/binder.ts";
import type { Query } from "../../database/query.ts";
import { notes } from "../../model/resources/notes.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { ALL_RECORD_TYPES } from "../../model/resources/record-types.ts";
import type { Resource } from "../../model/resources/resource.ts";
import { tasks } from "../../model/resources/tasks.ts";
import { wordColumn, wordsOfValue } from "../../model/resources/word-column.ts";
import { textsOfRow } from "../filters/search-columns.ts";

// Rows that an older release has made or changed have no words, nor have those that stood in the database before it
// knew words. They get theirs here. docs/decisions/0025-search.md#rows-without-words

/** Number of rows that get their words in one transaction. */
const FILLED_AT_ONCE = 500;

/** A table whose rows are found by words. */
interface Worded {
  table: string;
  /** Columns that together are different in all rows of the workspace. */
  key: string[];
  /** Columns of which the words are made. */
  texts: string[];
  /** SQL that is true for rows that should have words and have none. */
  lacks: string;
  words(workspaceId: Uuid, row: Record<string, string | null>): string;
}

const TABLES: Worded[] = [
  ...ALL_RECORD_TYPES.flatMap((resource) => [searchTable(resource), valuesTable(resource)]),
  rowTable(notes),
  rowTable(tasks),
];

function searchTable(resource: RecordType): Worded {
  return {
    table: resource.searchTable,
    key: ["id"],
    texts: ["folded_texts", "folded_lists"],
    lacks: "words is null",
    words: (workspaceId, row) => wordColumn(resource, workspaceId, textsOfRow(resource, row)),
  };
}

function valuesTable({ valuesTable: table, recordIdColumn }: RecordType): Worded {
  return {
    table,
    key: [recordIdColumn, "group_id", "field_id"],
    texts: ["folded_text"],
    lacks: "words is null and folded_text is not null",
    words: (workspaceId, { folded_text }) => wordsOfValue(workspaceId, folded_text ?? ""),
  };
}

/** Their fields have the names of their columns. */
function rowTable(resource: Resource): Worded {
  return {
    table: resource.table,
    key: ["id"],
    texts: resource.worded.map(({ name }) => name),
    lacks: "words is null",
    words: (workspaceId, row) => wordColumn(resource, workspaceId, row),
  };
}

/** A table of a workspace that has rows without words. */
export interface Lacking {
  table: string;
  workspaceId: Uuid;
}

/** The tables that have rows without words, with a workspace of such rows. One small statement. */
export async function tablesWithoutWords(query: Query): Promise<Lacking[]> {
  return query<Lacking>(LOOK, []);
}

const LOOK = `/* background */ ${TABLES.map(
  // With an order PostgreSQL takes the index of such rows, however many of them it believes to be there.
  ({ table, key: [first], lacks }) =>
    `(select '${table}' as table, workspace_id as "workspaceId" from ${table} where ${lacks} order by workspace_id, ${first} limit 1)`,
).join(" union all ")}`;

/**
 * Gives words to some rows of a table, and tells whether there may be more. Rows that somebody is about to change are
 * left for later. The transaction is the caller's.
 */
export async function fillWords(query: Query, { table: name, workspaceId }: Lacking): Promise<boolean> {
  const table = TABLES.find((one) => one.table === name);
  if (!table) throw new Error(`Rows of ${name} have no words`);
  const { key, texts, lacks } = table;
  const rows = await query<Record<string, string | null>>(
    `select ${[...key, ...texts].join(", ")} from ${name} where workspace_id = $1 and ${lacks}
     limit ${FILLED_AT_ONCE} for no key update skip locked`,
    [workspaceId],
  );
  if (rows.length === 0) return false;
  const bind = createBinder();
  const workspace = bind(workspaceId);
  const keys = key.map((column) => `${bind(uuidArray(rows.map((row) => row[column] as Uuid)))}::uuid[]`);
  const words = bind(textArray(rows.map((row) => table.words(workspaceId, row))));
  await query(
    `/* background */ update ${name} r set words = n.words::tsvector
     from unnest(${keys.join(", ")}, ${words}::text[]) n (${key.join(", ")}, words)
     where r.workspace_id = ${workspace} and ${key.map((column) => `r.${column} = n.${column}`).join(" and ")} and r.${lacks}`,
    bind.values,
  );
  return rows.length === FILLED_AT_ONCE;
}
