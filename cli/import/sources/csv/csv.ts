import { pipeline } from "node:stream/promises";
import { parse } from "csv-parse";
import { CommandError } from "../../../admin.ts";
import type { Input } from "../input.ts";
import type { ReadOptions, Table, TableRow } from "../table.ts";
import { encodingNote, encodingOf } from "../text/encoding.ts";
import { beginningOf, textOf } from "../text/text.ts";
import { type Dialect, dialectOf, LENIENT } from "./dialect.ts";

/** In this much of a file its delimiter and its headings are looked for. */
const BEGINNING_BYTES = 64 * 1024;

/**
 * Opens a CSV file. What it does not say is found out, and told in its notes: docs/guides/import.md#csv-files
 * @throws CommandError when it cannot be read or has no headings
 */
export async function openCsv(input: Input, options: ReadOptions): Promise<Table> {
  const encoding = await encodingOf(input, options.encoding);
  const beginning = beginningOf(input, encoding.name, BEGINNING_BYTES);
  const dialect = dialectOf(beginning, input.bytes <= BEGINNING_BYTES, options.delimiter);
  const read = (onBytes?: (bytes: number) => void) => readRows(input, encoding.name, dialect, onBytes);
  const headings = await firstOf(read());
  if (!headings)
    throw new CommandError(`${input.name} is empty: it needs a line of headings and a line for each record.`);
  async function* rows(onBytes?: (bytes: number) => void): AsyncGenerator<TableRow> {
    let isHeading = true;
    for await (const row of read(onBytes)) {
      if (!isHeading) yield row;
      isHeading = false;
    }
  }
  return {
    name: input.name,
    headings: headings.cells,
    headingLine: headings.line,
    delimiter: dialect.delimiter,
    bytes: input.bytes,
    notes: [...encodingNote(input.name, encoding), ...preambleNote(dialect, headings.line)],
    rows,
    close: input.close,
  };
}

async function firstOf(rows: AsyncGenerator<TableRow>): Promise<TableRow | undefined> {
  for await (const row of rows) return row;
  return undefined;
}

function preambleNote({ rowsBefore, hasSeparatorLine }: Dialect, headingLine: number): string[] {
  if (rowsBefore === (hasSeparatorLine ? 1 : 0)) return [];
  const lines = headingLine - 1;
  return [
    `The headings stand in line ${headingLine}: ${lines} ${lines === 1 ? "line" : "lines"} before were passed over.`,
  ];
}

/** The headings and the rows below them. */
async function* readRows(
  input: Input,
  encoding: string,
  { delimiter, rowsBefore }: Dialect,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<TableRow> {
  const parser = parse({ ...LENIENT, bom: true, delimiter, info: true });
  const source = textOf(input, encoding, onBytes);
  const feeding = pipeline(source, parser);
  // The parser ends with the same error, and whoever reads it hears of it there.
  feeding.catch(() => undefined);
  const lineOf = createLineCount();
  let passed = 0;
  try {
    for await (const { record: cells, info } of parser as AsyncIterable<Parsed>) {
      const line = lineOf(cells, info.lines);
      if (passed >= rowsBefore) yield { line, cells };
      passed += 1;
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${input.name}: ${(error as Error).message}`);
  } finally {
    parser.destroy();
  }
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
