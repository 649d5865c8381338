import { stringify } from "csv-stringify/sync";

/** Formats of an export. docs/guides/export.md#formats */
export type ExportFormat = "csv" | "json" | "ndjson";

/** With a byte order mark spreadsheets take a file for UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/** The lines of a CSV file, by RFC 4180. For spreadsheets an apostrophe is put before what they would take for a formula. */
export function csvLines(rows: string[][], { forSpreadsheets }: { forSpreadsheets: boolean }): string {
  return stringify(rows, {
    record_delimiter: "\r\n",
    // A line break that is not the one of the lines would else stand without quotes.
    quoted_match: /[\r\n]|^\s|\s$/,
    escape_formulas: forSpreadsheets,
  });
}

/** The line of headings, which begins the file. */
export function csvHead(headings: string[], { forSpreadsheets }: { forSpreadsheets: boolean }): string {
  return (forSpreadsheets ? BYTE_ORDER_MARK : "") + csvLines([headings], { forSpreadsheets });
}

/** Texts around and between records that are JSON texts: a list with a record in each line, or the lines alone. */
export const JSON_FRAMES = {
  json: { begin: "[\n", between: ",\n", end: "\n]\n", empty: "[]\n" },
  ndjson: { begin: "", between: "\n", end: "\n", empty: "" },
} as const;
