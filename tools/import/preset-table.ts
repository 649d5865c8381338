import { withPairs } from "../../packages/readers/tables/pairs.ts";
import type { Table, TableRow } from "../../packages/readers/tables/table.ts";
import type { ImportKind } from "./headings.ts";
import { type Preset, presetColumn } from "./presets/preset.ts";
import { recognise } from "./presets/recognise.ts";

const LOOKED_AT_ROWS = 50;

/**
 * A table as the program meant it that wrote it: its cells are cleaned, and pairs of columns are taken apart. A table of no known
 * program stays as it is.
 * @throws CommandError when the table cannot be read
 */
export async function readAsPreset(table: Table, kind: ImportKind): Promise<Table> {
  const preset = table.preset ?? (await recognised(table, kind));
  if (!preset) return table;
  const known = table.preset
    ? table
    : { ...table, preset, notes: [...table.notes, `Read as an export of ${preset.name}.`] };
  return withPairs(cleaned(known, preset, kind), preset);
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

function cleaned(table: Table, preset: Preset, kind: ImportKind): Table {
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
