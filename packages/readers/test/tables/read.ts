import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isKnownHeading } from "../../../../tools/import/heading-meaning.ts";
import { openTable } from "../../tables/open-table.ts";
import type { ReadOptions, RecordKind, TableRow } from "../../tables/table.ts";

/** All of a table. */
export interface ReadTable {
  headings: string[];
  headingLine: number;
  notes: string[];
  rows: TableRow[];
  /** The cells of the rows alone. */
  cells: string[][];
}

/** Opens a file with this content, and reads it twice, as an import does. */
export async function readText(
  folder: string,
  content: string | Buffer,
  { kind = "people", name = "rows.csv", ...options }: ReadOptions & { kind?: RecordKind; name?: string } = {},
): Promise<ReadTable> {
  const path = join(folder, name);
  writeFileSync(path, content);
  return readPath(path, { kind, ...options });
}

/** The same of a file that is there, or of what is piped. */
export async function readPath(
  path: string,
  { kind = "people", ...options }: ReadOptions & { kind?: RecordKind } = {},
  piped?: AsyncIterable<Buffer>,
): Promise<ReadTable> {
  const table = await openTable(path, kind, { ...options, isHeading: isKnownHeading }, piped);
  try {
    const rows: TableRow[] = [];
    const again: TableRow[] = [];
    for await (const row of table.rows()) rows.push(row);
    for await (const row of table.rows()) again.push(row);
    if (JSON.stringify(rows) !== JSON.stringify(again)) throw new Error("The second reading differs");
    const notes = table.notes.map((note) => note.replaceAll(path, "FILE"));
    const { headings, headingLine } = table;
    return { headings, headingLine, notes, rows, cells: rows.map(({ cells }) => cells) };
  } finally {
    table.close();
  }
}
