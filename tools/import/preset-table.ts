import { basename } from "node:path";
import type { ReadOptions, Table, TableRow } from "contact-workspace-readers/table";
import { openTable } from "contact-workspace-readers/tables";
import { isKnownHeading } from "./heading-meaning.ts";
import type { ImportKind } from "./headings.ts";
import { airtable } from "./presets/airtable.ts";
import { folk } from "./presets/folk.ts";
import { google } from "./presets/google.ts";
import { hubspot } from "./presets/hubspot.ts";
import { linkedin } from "./presets/linkedin.ts";
import { notion } from "./presets/notion.ts";
import { outlook } from "./presets/outlook.ts";
import { outlookGerman } from "./presets/outlook-german.ts";
import { type Preset, presetColumn } from "./presets/preset.ts";
import { vcard } from "./presets/vcard.ts";

/** Maximum number of different words that become columns; the cells of others are left out. */
const WORDS_MAX = 50;

/** Two columns, one of which names the other, like `Event 1 - Label` and `Event 1 - Value`. */
interface Pair {
  label: number;
  value: number;
}

/**
 * Makes a column of each word that stands in the columns of labels: "Anniversary" with the dates that have this label.
 * The columns that it is made of are left out. All of the file is read for it.
 */
async function withPairs<T extends Table>(table: T, preset: Preset): Promise<T> {
  const pairs = pairsIn(table.headings, preset);
  if (pairs.length === 0) return table;
  const words = await wordsOf(table, pairs);
  const gone = new Set(pairs.flatMap(({ label, value }) => [label, value]));
  const kept = table.headings.flatMap((_heading, at) => (gone.has(at) ? [] : [at]));
  async function* rows(onBytes?: (bytes: number) => void): AsyncGenerator<TableRow> {
    for await (const row of table.rows(onBytes)) {
      // A row of a wrong length has to stay one, so that it is refused.
      const beyond = row.cells.slice(table.headings.length);
      const cells =
        row.cells.length < 2
          ? row.cells
          : [...kept.map((at) => row.cells[at] ?? ""), ...valuesOf(row, pairs, words), ...beyond];
      yield { ...row, cells };
    }
  }
  return { ...table, headings: [...kept.map((at) => table.headings[at] ?? ""), ...words], rows };
}

function pairsIn(headings: string[], { pairs = [] }: Preset): Pair[] {
  const at = (pattern: string, number: string) =>
    headings.findIndex((heading) => heading.trim() === pattern.replace("#", number));
  return headings.flatMap((heading, label) => {
    const number = /\d+/.exec(heading)?.[0] ?? "";
    const found = pairs.find((pair) => pair.label.replace("#", number) === heading.trim());
    const value = found ? at(found.value, number) : -1;
    return value < 0 ? [] : [{ label, value }];
  });
}

async function wordsOf(table: Table, pairs: Pair[]): Promise<string[]> {
  const words = new Set<string>();
  for await (const { cells } of table.rows()) {
    for (const { label, value } of pairs) {
      const word = wordOf(cells[label]);
      if (word !== "" && (cells[value] ?? "").trim() !== "" && words.size < WORDS_MAX) words.add(word);
    }
  }
  return [...words];
}

/** A label as a name: the one that counts of several has an asterisk before it. */
function wordOf(cell = ""): string {
  return cell.replace(/^\*\s*/, "").trim();
}

function valuesOf({ cells }: TableRow, pairs: Pair[], words: string[]): string[] {
  return words.map((word) =>
    pairs
      .flatMap(({ label, value }) => (wordOf(cells[label]) === word && cells[value] ? [cells[value]] : []))
      .join("; "),
  );
}

const LOOKED_AT_ROWS = 50;

/** A table of the file of a known program, or of any other. */
export interface PresetTable extends Table {
  preset?: Preset;
}

/**
 * A file of records as the program meant it that wrote it: its cells are cleaned, and pairs of columns are taken apart.
 * A table of no known program stays as it is. "-" is `piped`.
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

/** The first one that a file is recognised as counts: those with more unusual headings come first. */
const PRESETS: Preset[] = [google, linkedin, hubspot, outlook, outlookGerman, vcard, folk, notion, airtable];

interface Looked {
  /** Its path or name. */
  name: string;
  headings: string[];
  /** Its first rows. */
  rows: string[][];
}

/** The program that wrote a file, if it can be recognized. */
function recognise(kind: ImportKind, looked: Looked): Preset | undefined {
  const headings = new Set(looked.headings.flatMap((heading) => [heading.trim(), heading.trim().replace(/\d+/, "#")]));
  return PRESETS.find(
    (preset) =>
      preset.columns[kind] !== undefined &&
      (preset.signs.some((sign) => sign.every((heading) => headings.has(heading))) || isByCells(preset, looked)),
  );
}

function isByCells({ cellSign, fileSign }: Preset, { name, rows }: Looked): boolean {
  if (fileSign?.test(basename(name))) return true;
  return cellSign !== undefined && rows.some((cells) => cells.some((cell) => cellSign.test(cell)));
}
