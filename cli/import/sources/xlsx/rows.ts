import type { TableRow } from "../table.ts";
import { type Archive, broken } from "./archive.ts";
import type { Format } from "./formats.ts";
import { createText, withoutEscapes } from "./strings.ts";
import { numberText } from "./value.ts";
import { listen } from "./xml.ts";

/** What the cells of a sheet refer to. */
export interface Meaning {
  strings: string[];
  formats: Format[];
  isFrom1904: boolean;
}

/** The columns that Excel has. */
const COLUMNS_MAX = 16_384;

/**
 * The rows of a sheet that have anything in them, without empty cells at their ends. A row has one cell more than `width`
 * if it has a value in any column beyond: very many rows with one in the last column would fill the memory with blanks.
 */
export async function* sheetRows(
  archive: Archive,
  part: string,
  meaning: Meaning,
  width: number,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<TableRow> {
  const gathered: TableRow[] = [];
  const listener = rowListener(archive, { meaning, width }, (row) => gathered.push(row));
  for await (const _piece of listen(archive, part, listener, onBytes)) yield* gathered.splice(0);
}

interface Cell {
  column: number;
  type: string;
  style: number;
}

function rowListener(
  archive: Archive,
  { meaning, width }: { meaning: Meaning; width: number },
  onRow: (row: TableRow) => void,
) {
  let line = 0;
  let cells: string[] = [];
  let cell: Cell | undefined;
  let next = 0;
  let value = "";
  let isValue = false;
  const inline = createText();

  function begin(attributes: Record<string, string>): void {
    const column = attributes.r === undefined ? next : columnOf(attributes.r);
    if (column >= COLUMNS_MAX) throw broken(archive, `row ${line} has more than ${COLUMNS_MAX} columns`);
    cell = { column, type: attributes.t ?? "n", style: Number(attributes.s ?? 0) };
    next = column + 1;
    value = "";
  }

  function end(): void {
    if (!cell) return;
    const text = cell.type === "inlineStr" ? inline.take() : valueText(value, cell, meaning);
    const isBlankBeyond = cell.column >= width && text.trim() === "";
    if (text !== "" && !isBlankBeyond) {
      const column = Math.min(cell.column, width);
      while (cells.length < column) cells.push("");
      cells[column] = text;
    }
    cell = undefined;
  }

  return {
    open(name: string, attributes: Record<string, string>) {
      if (name === "row") {
        line = attributes.r === undefined ? line + 1 : Number(attributes.r);
        cells = [];
        next = 0;
      } else if (name === "c") begin(attributes);
      else if (name === "v") isValue = cell !== undefined;
      else inline.listener.open(name);
    },
    text(text: string) {
      if (isValue) value += text;
      else inline.listener.text(text);
    },
    close(name: string) {
      if (name === "v") isValue = false;
      else if (name === "c") end();
      else if (name === "row" && cells.some((text) => text.trim() !== "")) onRow({ line, cells });
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
