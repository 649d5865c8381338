import { quoted, trimmed } from "../../cell-text.ts";
import type { TableRow } from "../table.ts";
import { type Archive, broken } from "./archive.ts";
import type { Format } from "./formats.ts";
import { createText, longer, withoutEscapes } from "./strings.ts";
import { listen } from "./xml.ts";

/** Parts of the workbook that the cells of a sheet refer to. */
export interface Meaning {
  strings: string[];
  formats: Format[];
  isFrom1904: boolean;
}

/** Numbers of columns and rows that Excel has. */
const COLUMNS_MAX = 16_384;
const ROWS_MAX = 1_048_576;

/**
 * The rows of a sheet that have anything in them, without empty cells at their ends. A row with a value beyond `width`
 * columns is refused: one in the last column of Excel would make 16,384 cells of the row.
 */
export async function* sheetRows(
  archive: Archive,
  part: string,
  meaning: Meaning,
  width = COLUMNS_MAX,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<TableRow> {
  const gathered: TableRow[] = [];
  const listener = rowListener(archive, meaning, width, (row) => gathered.push(row));
  for await (const _piece of listen(archive, part, listener, onBytes)) yield* gathered.splice(0);
}

interface Cell {
  column: number;
  type: string;
  style: number;
}

function rowListener(archive: Archive, meaning: Meaning, width: number, onRow: (row: TableRow) => void) {
  let line = 0;
  let rows = 0;
  let cells: string[] = [];
  let read = 0;
  let refused: string | undefined;
  let cell: Cell | undefined;
  let next = 0;
  let value = "";
  let isValue = false;
  const inline = createText(archive);

  function beginRow({ r }: Record<string, string>): void {
    const number = Number(r ?? line + 1);
    line = Number.isInteger(number) && number > 0 && number <= ROWS_MAX ? number : line + 1;
    rows += 1;
    if (rows > ROWS_MAX) throw broken(archive, `it has more than ${ROWS_MAX} rows`);
    cells = [];
    read = 0;
    refused = undefined;
    next = 0;
  }

  function begin(attributes: Record<string, string>): void {
    const column = attributes.r === undefined ? next : columnOf(attributes.r);
    read += 1;
    if (Math.max(column, read - 1) >= COLUMNS_MAX)
      throw broken(archive, `row ${line} has more than ${COLUMNS_MAX} columns`);
    cell = { column, type: attributes.t ?? "n", style: Number(attributes.s ?? 0) };
    next = column + 1;
    value = "";
  }

  function end(): void {
    if (!cell) return;
    const text = cell.type === "inlineStr" ? inline.take() : valueText(value, cell, meaning);
    if (text !== "") keep(cell.column, text);
    cell = undefined;
  }

  function keep(column: number, text: string): void {
    if (column < width) {
      while (cells.length < column) cells.push("");
      cells[column] = text;
    } else if (trimmed(text) !== "")
      refused ??= `${quoted(text)} stands in column ${columnName(column)}, beyond the headings`;
  }

  function endRow(): void {
    if (refused !== undefined) onRow({ line, cells, refused });
    else if (cells.some((text) => text.trim() !== "")) onRow({ line, cells });
  }

  return {
    open(name: string, attributes: Record<string, string>) {
      if (name === "row") beginRow(attributes);
      else if (name === "c") begin(attributes);
      else if (name === "v") isValue = cell !== undefined;
      else inline.listener.open(name);
    },
    text(text: string) {
      if (isValue) value = longer(archive, value, text);
      else inline.listener.text(text);
    },
    close(name: string) {
      if (name === "v") isValue = false;
      else if (name === "c") end();
      else if (name === "row") endRow();
      else inline.listener.close(name);
    },
  };
}

const A = "A".charCodeAt(0);

/** `AB12` is in column 27, counted from 0. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,4}/i.exec(reference)?.[0].toUpperCase() ?? "A")
    column = column * 26 + letter.charCodeAt(0) - A + 1;
  return column - 1;
}

function columnName(column: number): string {
  const before = column < 26 ? "" : columnName(Math.floor(column / 26) - 1);
  return before + String.fromCharCode(A + (column % 26));
}

/** An error, like #N/A where a formula finds nothing, is no value. */
function valueText(value: string, { type, style }: Cell, { strings, formats, isFrom1904 }: Meaning): string {
  switch (type) {
    case "s":
      return strings[Number(value)] ?? "";
    case "str":
      return withoutEscapes(value);
    case "b":
      return value.trim() === "1" ? "true" : "false";
    case "e":
      return "";
    case "d":
      return value.replace(/T00:00:00(?:\.0+)?Z?$/, "");
    default:
      return value === "" ? "" : numberText(value, formats[style] ?? { is: "number" }, isFrom1904);
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Day 0 of Excel. It counts a 29 February 1900, which there was not: from March on its days are one too many. */
const DAY_0 = Date.UTC(1899, 11, 30);
const DAY_0_OF_1904 = Date.UTC(1904, 0, 1);
const FALSE_LEAP_DAY = 60;
/** Excel itself keeps no more, and shows no noise behind them. */
const DIGITS = 15;
/** The last day that Excel knows, of the year 9999. */
const DAY_MAX = 2_958_465;

/**
 * The number in a cell as text: a date as YYYY-MM-DD, with a time as YYYY-MM-DDTHH:MM:SS, a time alone as HH:MM:SS, all
 * else with the digits that Excel shows.
 */
function numberText(text: string, format: Format, isFrom1904: boolean): string {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number)) return text;
  if (format.is === "date" && number >= 0 && number <= DAY_MAX) return dateText(number, isFrom1904);
  if (format.is === "time" && number >= 0 && number < 1) return timeText(number);
  const plain = withoutNoise(number);
  return format.is === "digits" && /^\d+$/.test(plain) ? plain.padStart(format.count, "0") : plain;
}

/**
 * A longer whole number has lost its last digits. It is written with a power of ten, which a column of texts refuses.
 */
function withoutNoise(number: number): string {
  const rounded = Number(number.toPrecision(DIGITS));
  return Math.abs(rounded) >= 10 ** DIGITS ? rounded.toExponential().toUpperCase() : String(rounded);
}

function dateText(days: number, isFrom1904: boolean): string {
  if (days < 1 && !isFrom1904) return timeText(days);
  const shift = !isFrom1904 && days < FALSE_LEAP_DAY ? 1 : 0;
  const ms = (isFrom1904 ? DAY_0_OF_1904 : DAY_0) + Math.round((days + shift) * DAY_MS);
  // Times are kept as parts of a day, so that seconds are off by some milliseconds.
  const iso = new Date(Math.round(ms / 1000) * 1000).toISOString();
  return iso.slice(11, 19) === "00:00:00" ? iso.slice(0, 10) : iso.slice(0, 19);
}

function timeText(days: number): string {
  return new Date(Math.round((days * DAY_MS) / 1000) * 1000).toISOString().slice(11, 19);
}
