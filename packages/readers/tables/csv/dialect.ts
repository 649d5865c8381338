import { parse } from "csv-parse/sync";
import { ReadError } from "../../read-error.ts";
import { headingsRowOf, type IsHeading } from "../headings-row.ts";
import type { ReadOptions } from "../table.ts";

/** Dialect of a CSV file. */
export interface Dialect {
  delimiter: string;
  /** Number of non-empty rows before the headings. */
  rowsBefore: number;
  /** Whether the first of them is the line `sep=`, which is for programs. */
  hasSeparatorLine: boolean;
}

/** Delimiters between the cells of a row, the most usual first. A colon counts only if no other one divides the row. */
const DELIMITERS = [",", ";", "\t", "|", ":"];
const LOOKED_AT_ROWS = 50;

/** Rows of another length are refused one by one later, and a quote within a word is no reason to refuse a file. */
export const LENIENT = {
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  record_delimiter: ["\r\n", "\n", "\r"],
};

/**
 * Finds the dialect of a file from its beginning. `isWhole` says that the beginning is the whole file.
 * @throws ReadError if the named delimiter is not one
 */
export function dialectOf(beginning: string, isWhole: boolean, { delimiter: named, isHeading }: ReadOptions): Dialect {
  const separator = /^\s*"?sep=(?<delimiter>[^\r\n"])"?[ \t]*(?:\r\n|\n|\r)/i.exec(beginning)?.groups?.delimiter;
  const text = separator === undefined ? beginning : beginning.replace(/^[^\r\n]*(?:\r\n|\n|\r)/, "");
  const delimiter = (named === undefined ? separator : knownDelimiter(named)) ?? delimiterOf(text, isWhole, isHeading);
  const hasSeparatorLine = separator !== undefined;
  const rowsBefore = headingsRowOf(rowsOf(text, delimiter, isWhole), isHeading);
  return { delimiter, rowsBefore: rowsBefore + (hasSeparatorLine ? 1 : 0), hasSeparatorLine };
}

const NAMES: Record<string, string> = {
  comma: ",",
  semicolon: ";",
  tab: "\t",
  "\\t": "\t",
  pipe: "|",
  colon: ":",
  space: " ",
};

function knownDelimiter(named: string): string {
  const delimiter = NAMES[named.toLowerCase()] ?? named;
  if ([...delimiter].length === 1 && !'"\r\n'.includes(delimiter)) return delimiter;
  throw new ReadError(
    `"${named}" cannot divide cells: give one character, or one of ${Object.keys(NAMES).join(", ")}.`,
    { isOption: true },
  );
}

/** The delimiter that gives the rows the same number of cells, more than one, and known headings. */
function delimiterOf(text: string, isWhole: boolean, isHeading?: IsHeading): string {
  const tried = DELIMITERS.map((delimiter) => ({ delimiter, ...fitOf(rowsOf(text, delimiter, isWhole), isHeading) }));
  const [best] = tried
    .filter(({ delimiter, same, width }) => width > 1 && (delimiter !== ":" || same === 1))
    .toSorted((a, b) => b.known - a.known || b.same - a.same || a.blanks - b.blanks || b.width - a.width);
  return best?.delimiter ?? mostInHeading(text);
}

interface Fit {
  known: number;
  /** The share of rows that have as many cells as the headings. */
  same: number;
  /** Headings with a blank before them: a comma within a heading has one behind it. */
  blanks: number;
  width: number;
}

function fitOf(rows: string[][], isHeading: IsHeading = () => false): Fit {
  const at = headingsRowOf(rows, isHeading);
  const headings = rows[at] ?? [];
  const below = rows.slice(at + 1);
  const same = below.filter(({ length }) => length === headings.length).length;
  return {
    known: headings.filter(isHeading).length,
    same: below.length === 0 ? 1 : same / below.length,
    blanks: headings.filter((heading) => heading.startsWith(" ")).length,
    width: headings.length,
  };
}

function mostInHeading(text: string): string {
  const heading = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0].replaceAll(/"(?:[^"]|"")*"/g, "") ?? "";
  const counts = DELIMITERS.slice(0, -1).map((delimiter) => heading.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
}

/** The first rows. The last one is left out where the text may end within it. */
function rowsOf(text: string, delimiter: string, isWhole: boolean): string[][] {
  const rows: string[][] = [];
  const keep = (row: string[]) => {
    rows.push(row);
    return null;
  };
  try {
    parse(text, { ...LENIENT, bom: true, delimiter, to: LOOKED_AT_ROWS, on_record: keep });
  } catch {
    // A quote that the text ends within: what came before it is enough to see how the file is written.
  }
  return isWhole || rows.length < 2 || rows.length >= LOOKED_AT_ROWS ? rows : rows.slice(0, -1);
}
