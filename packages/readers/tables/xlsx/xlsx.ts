import { ReadError } from "../../read-error.ts";
import { headingsRowOf } from "../headings-row.ts";
import type { Input } from "../input.ts";
import type { ReadOptions, Table, TableRow } from "../table.ts";
import { type Archive, openArchive } from "./archive.ts";
import { readFormats } from "./formats.ts";
import { type Meaning, sheetRows } from "./rows.ts";
import { readStrings } from "./strings.ts";
import { readWorkbook, type Sheet } from "./workbook.ts";

/** The headings are looked for in the first rows, by their first columns. */
const LOOKED_AT_ROWS = 50;
const LOOKED_AT_COLUMNS = 500;
/** Notes beside a table are columns without headings. Cells that stand farther to the right refuse their rows. */
const UNNAMED_MAX = 100;
const SHEETS_TOLD_MAX = 50;

/**
 * Opens a sheet of an Excel file, the named one or the first with anything in it.
 * docs/guides/import-files.md#excel-sheets Why no library reads it: docs/decisions/0019-excel-sheets.md
 * @throws ReadError when the file is broken, there is no such sheet, or it is empty
 */
export async function openSheet(input: Input, options: ReadOptions): Promise<Table> {
  const archive = await openArchive(input);
  const workbook = await readWorkbook(archive);
  const meaning = {
    strings: await readStrings(archive, workbook.strings),
    formats: await readFormats(archive, workbook.styles),
    isFrom1904: workbook.isFrom1904,
  };
  const { sheet, first } = await chosen(archive, workbook.sheets, meaning, options.sheet);
  const looked = padded(first);
  const before = headingsRowOf(
    looked.map((row) => row.slice(0, LOOKED_AT_COLUMNS)),
    options.isHeading,
  );
  const cells = looked[before] ?? [];
  const headings = cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== "") + 1 + UNNAMED_MAX);
  const headingLine = first[before]?.line ?? 1;
  async function* rows(onBytes?: (bytes: number) => void): AsyncGenerator<TableRow> {
    for await (const row of sheetRows(archive, sheet.part, meaning, headings.length, onBytes))
      if (row.line > headingLine) yield { ...row, cells: padTo(row.cells, headings.length) };
  }
  return {
    form: "xlsx",
    name: input.name,
    headings,
    headingLine,
    bytes: archive.bytesOf(sheet.part) ?? 0,
    notes: [
      ...(options.sheet === undefined ? sheetNote(sheet, workbook.sheets) : []),
      ...(before > 0 ? [`The headings are in row ${headingLine}: the rows above are skipped.`] : []),
    ],
    rows,
    close: input.close,
  };
}

interface Chosen {
  sheet: Sheet;
  first: TableRow[];
}

async function chosen(archive: Archive, sheets: Sheet[], meaning: Meaning, named?: string): Promise<Chosen> {
  const fold = (name: string) => name.trim().toLowerCase();
  const candidates =
    named === undefined
      ? sheets.toSorted((a, b) => Number(a.isHidden) - Number(b.isHidden))
      : sheets.filter(({ name }) => fold(name) === fold(named));
  if (candidates.length === 0)
    throw new ReadError(`${archive.name} has no sheet "${named}". There are: ${quoted(sheets)}.`);
  // Several sheets may name one part, which is read once.
  const parts = new Set<string>();
  for (const sheet of candidates) {
    if (parts.has(sheet.part)) continue;
    parts.add(sheet.part);
    const first = await firstRows(archive, sheet.part, meaning);
    if (first.length > 0) return { sheet, first };
  }
  throw new ReadError(`${archive.name} is empty: it needs a row of headings and a row for each record.`);
}

async function firstRows(archive: Archive, part: string, meaning: Meaning): Promise<TableRow[]> {
  const rows: TableRow[] = [];
  for await (const row of sheetRows(archive, part, meaning)) {
    rows.push(row);
    if (rows.length >= LOOKED_AT_ROWS) break;
  }
  return rows;
}

/** All rows as wide as the widest, because a sheet does not hold the empty cells at their ends. */
function padded(rows: TableRow[]): string[][] {
  const width = Math.max(...rows.map(({ cells }) => cells.length));
  return rows.map(({ cells }) => padTo(cells, width));
}

function padTo(cells: string[], width: number): string[] {
  while (cells.length < width) cells.push("");
  return cells;
}

function sheetNote(sheet: Sheet, sheets: Sheet[]): string[] {
  const others = sheets.filter((other) => other !== sheet && !other.isHidden);
  if (others.length === 0) return [];
  return [`The sheet "${sheet.name}" is read. There are also: ${quoted(others)}; --sheet names another one.`];
}

function quoted(sheets: Sheet[]): string {
  const told = sheets.slice(0, SHEETS_TOLD_MAX).map(({ name }) => JSON.stringify(name));
  return [...told, ...(sheets.length > told.length ? [`${sheets.length - told.length} more`] : [])].join(", ");
}
