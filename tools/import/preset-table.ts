import type { ReadOptions, Table, TableRow } from "contact-workspace-readers/table";
import { openTable } from "contact-workspace-readers/tables";
import { isKnownHeading } from "./heading-meaning.ts";
import type { ImportKind } from "./headings.ts";
import { withPairs } from "./pairs.ts";
import { type Preset, presetColumn } from "./presets/preset.ts";
import { recognise } from "./presets/recognise.ts";
import { vcard } from "./presets/vcard.ts";

const LOOKED_AT_ROWS = 50;

/** A table of the file of a known program, or of any other. */
export interface PresetTable extends Table {
  preset?: Preset;
}

/**
 * A file of records as the program meant it that wrote it: its cells are cleaned, and pairs of columns are taken apart. A table of no
 * known program stays as it is. "-" is `piped`.
 * @throws ReadError when it cannot be read or has no heading
 */
export async function openRecords(
  path: string,
  kind: ImportKind,
  options: ReadOptions = {},
  piped?: AsyncIterable<Buffer>,
): Promise<PresetTable> {
  const table = await openTable(path, kind, { ...options, isHeading: isKnownHeading }, piped);
  try {
    return await readAsPreset(table, kind);
  } catch (error) {
    table.close();
    throw error;
  }
}

async function readAsPreset(table: Table, kind: ImportKind): Promise<PresetTable> {
  if (table.form === "vcard") return withPairs(cleaned({ ...table, preset: vcard }, vcard, kind), vcard);
  const preset = await recognised(table, kind);
  if (!preset) return table;
  const notes = [...table.notes, `Read as an export of ${preset.name}.`];
  return withPairs(cleaned({ ...table, preset, notes }, preset, kind), preset);
}

async function recognised(table: Table, kind: ImportKind): Promise<Preset | undefined> {
  const rows: string[][] = [];
  for await (const { cells } of table.rows()) {
    rows.push(cells);
    if (rows.length >= LOOKED_AT_ROWS) break;
  }
  return recognise(kind, { name: table.name, headings: table.headings, rows });
}

type Clean = (cell: string) => string;

function cleaned(table: PresetTable, preset: Preset, kind: ImportKind): PresetTable {
  const cleaners = table.headings.map((heading) => {
    const own = presetColumn(preset, kind, heading)?.clean;
    const { cleanAll } = preset;
    return own && cleanAll ? (cell: string) => own(cleanAll(cell)) : (own ?? cleanAll);
  });
  if (!cleaners.some((clean) => clean !== undefined)) return table;
  async function* rows(onBytes?: (bytes: number) => void): AsyncGenerator<TableRow> {
    for await (const row of table.rows(onBytes)) yield { ...row, cells: row.cells.map(cellCleaner(cleaners)) };
  }
  return { ...table, rows };
}

function cellCleaner(cleaners: (Clean | undefined)[]): (cell: string, index: number) => string {
  return (cell, index) => (cell === "" ? cell : (cleaners[index]?.(cell) ?? cell));
}
