import { pipeline } from "node:stream/promises";
import { CsvError, parse } from "csv-parse";
import { trimmed } from "../../cell-text.ts";
import { ReadError } from "../../read-error.ts";
import type { Input } from "../input.ts";
import type { ReadOptions, Table, TableRow } from "../table.ts";
import { encodingNote, encodingOf } from "../text/encoding.ts";
import { beginningOf, textOf } from "../text/text.ts";
import { type Dialect, dialectOf, LENIENT } from "./dialect.ts";

/** In this much of a file its delimiter and its headings are looked for. */
const BEGINNING_BYTES = 64 * 1024;

/**
 * Opens a CSV file. Its encoding and dialect are detected, and reported in its notes:
 * docs/guides/import-files.md#csv-files
 * @throws ReadError when it cannot be read or has no headings
 */
export async function openCsv(input: Input, options: ReadOptions): Promise<Table> {
  const encoding = await encodingOf(input, options.encoding);
  const beginning = beginningOf(input, encoding.name, BEGINNING_BYTES);
  if (isBinary(beginning))
    throw new ReadError(
      `${input.name} is not a text file: export the records as CSV, .xlsx or vCards, and import that.`,
    );
  const dialect = dialectOf(beginning, input.bytes <= BEGINNING_BYTES, options);
  const { rowsBefore } = dialect;
  const headings = await firstOf(readRows(input, encoding.name, dialect, rowsBefore));
  if (!headings) throw new ReadError(`${input.name} is empty: it needs a line of headings and a line for each record.`);
  return {
    form: "csv",
    name: input.name,
    headings: headings.cells,
    headingLine: headings.line,
    delimiter: dialect.delimiter,
    bytes: input.bytes,
    notes: [...encodingNote(input.name, encoding), ...preambleNote(dialect, headings.line)],
    rows: (onBytes) => readRows(input, encoding.name, dialect, rowsBefore + 1, onBytes),
    close: input.close,
  };
}

/** No record is longer. Without a bound a file without line breaks would be one row in memory. */
const ROW_BYTES_MAX = 16 * 1024 * 1024;

const CONTROLS_MAX = 20;

/** Texts have hardly any control characters but tabs and line breaks. */
function isBinary(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is they that are looked for.
  const controls = text.match(/[\0-\x08\x0e-\x1f]/g)?.length ?? 0;
  return controls > CONTROLS_MAX && controls * 20 > text.length;
}

async function firstOf(rows: AsyncGenerator<TableRow>): Promise<TableRow | undefined> {
  for await (const row of rows) return row;
  return undefined;
}

function preambleNote({ rowsBefore, hasSeparatorLine }: Dialect, headingLine: number): string[] {
  if (rowsBefore === (hasSeparatorLine ? 1 : 0)) return [];
  const lines = headingLine - 1;
  return [
    `The headings are in line ${headingLine}: ${lines} ${lines === 1 ? "line" : "lines"} before them are skipped.`,
  ];
}

/** The rows behind the first ones. */
async function* readRows(
  input: Input,
  encoding: string,
  { delimiter }: Dialect,
  behind: number,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<TableRow> {
  const parser = parse({ ...LENIENT, bom: true, delimiter, info: true, max_record_size: ROW_BYTES_MAX });
  const feeding = pipeline(textOf(input, encoding, onBytes), parser);
  // The parser ends with the same error, and its reader gets it there.
  feeding.catch(() => undefined);
  const lineOf = createLineCount();
  let passed = 0;
  let last = 0;
  try {
    for await (const { record: cells, info } of parser as AsyncIterable<Parsed>) {
      const line = lineOf(cells, info.lines);
      last = line;
      if (passed >= behind) yield { line, cells: cells.map(spreadsheetCell) };
      passed += 1;
    }
  } catch (error) {
    if (error instanceof ReadError) throw error;
    throw new ReadError(`${input.name}: ${told(error as Error, last)}`);
  } finally {
    parser.destroy();
  }
}

/** Message for a file that the parser cannot read, in our words for the known cases. */
function told(error: Error, lastLine: number): string {
  const code = error instanceof CsvError ? error.code : undefined;
  if (code === "CSV_MAX_RECORD_SIZE")
    return `the row behind line ${lastLine} has more than ${ROW_BYTES_MAX / 1024 / 1024} MiB. It may begin with a quote (") that is never closed, or the file may have no line breaks.`;
  if (code !== "CSV_QUOTE_NOT_CLOSED") return error.message;
  return `a cell behind line ${lastLine} begins with a quote (") that is never closed, so the rest of the file would be one cell. Close the quote, or remove it.`;
}

interface Parsed {
  record: string[];
  info: { lines: number };
}

/** The line in which a row begins. The parser counts the line in which it ends, and a CRLF within quotes as two. */
function createLineCount(): (cells: string[], lines: number) => number {
  let countedTwice = 0;
  let before = 0;
  return (cells, lines) => {
    // Most rows are one line long, and have no cell with a break.
    const isOneLine = lines === before + 1;
    before = lines;
    if (isOneLine) return lines - countedTwice;
    const breaks = cells.flatMap((cell) => (/[\r\n]/.test(cell) ? (cell.match(/\r\n|\r|\n/g) ?? []) : []));
    countedTwice += breaks.filter((text) => text === "\r\n").length;
    return lines - countedTwice - breaks.length;
  };
}

/** A text that a formula is made of, so that a spreadsheet takes none of its zeros: `="01067"`. */
const TEXT_FORMULA = /^=\s*"(?<text>(?:[^"]|"")*)"$/s;
/**
 * An apostrophe that makes a spreadsheet treat a cell as text: before the first sign of a formula, or before a number.
 * In names like 't Hooft and '47 Brand it is part of the name.
 */
const GUARD = /^'(?=[=+\-@\t\r＝＋－＠]|[\d(.][^\p{L}']*$)(?!.*'$)/su;
/** Words of several languages for a value that is not found, and one for a value that Excel has not loaded yet. */
const NOT_AVAILABLE = "N/[ABD]!?|NV|Н/Д|I/T|YOK|HIÁNYZIK|NENÍ_K_DISPOZICI|GETTING_DATA";
/** Spreadsheets show these where a formula fails: #N/A, #NV, #DIV/0!, #BEZUG!, #¡VALOR!, and Err:502 of LibreOffice. */
const ERROR = new RegExp(String.raw`^(?:#(?:${NOT_AVAILABLE}|[¡¿]?[\p{Lu}_]+(?:/0)?[!?])|Err:\d{3})$`, "u");

/**
 * A cell without what spreadsheets write for themselves: the value that they show.
 * docs/guides/import-files.md#csv-files
 */
function spreadsheetCell(cell: string): string {
  const text = trimmed(cell);
  switch (text.charAt(0)) {
    case "=":
      return TEXT_FORMULA.exec(text)?.groups?.text?.replaceAll('""', '"') ?? cell;
    case "'":
      return GUARD.test(text) ? text.slice(1) : cell;
    case "#":
    case "E":
      return ERROR.test(text) ? "" : cell;
    default:
      return cell;
  }
}
