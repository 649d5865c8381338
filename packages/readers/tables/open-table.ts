import { plainHeadingText, trimmed } from "../cell-text.ts";
import { ReadError } from "../read-error.ts";
import { openCsv } from "./csv/csv.ts";
import { type Form, formOf } from "./form.ts";
import { type Input, openInput } from "./input.ts";
import type { ReadOptions, RecordKind, Table, TableRow } from "./table.ts";
import { openVcards } from "./vcard/vcard.ts";
import { openSheet } from "./xlsx/xlsx.ts";

/** Which options say how a file of this form is read, and what the form is called. */
const TAKEN: Record<Form, { told: string; options: (keyof ReadOptions)[] }> = {
  csv: { told: "a CSV file", options: ["encoding", "delimiter"] },
  xlsx: { told: "an Excel file", options: ["sheet"] },
  vcard: { told: "a file of vCards", options: ["encoding"] },
};

type Open = (input: Input, options: ReadOptions, kind: RecordKind) => Promise<Table>;

const OPEN: Record<Form, Open> = { csv: openCsv, xlsx: openSheet, vcard: openVcards };

/**
 * Opens a file of records as a table, by what it holds; its name says nothing. "-" is `piped`, `kind` is what of it is
 * wanted. docs/guides/import-files.md#what-files-are-read
 * @throws ReadError when it cannot be read or has no heading
 */
export async function openTable(
  path: string,
  kind: RecordKind,
  options: ReadOptions = {},
  piped?: AsyncIterable<Buffer>,
): Promise<Table> {
  const input = await openInput(path, piped);
  try {
    const form = formOf(input);
    const table = await OPEN[form](input, taken(input.name, form, options), kind);
    return underHeadings(table);
  } catch (error) {
    input.close();
    throw error;
  }
}

function taken(name: string, form: Form, { encoding, delimiter, sheet, isHeading }: ReadOptions): ReadOptions {
  const given: ReadOptions = { encoding, delimiter, sheet, isHeading };
  const { told, options } = TAKEN[form];
  for (const option of ["encoding", "delimiter", "sheet"] as const)
    if (given[option] !== undefined && !options.includes(option))
      throw new ReadError(`${name} is ${told}, for which there is no --${option}.`, { isOption: true });
  return given;
}

/** Each row is looked at in each column, so that a file of very many columns takes hours. */
const COLUMNS_MAX = 2_000;

/**
 * A table with its headings as they are compared, and without the blank cells that spreadsheets write beyond them.
 * @throws ReadError when it has too many columns
 */
function underHeadings(table: Table): Table {
  const named = table.headings.findLastIndex((heading) => trimmed(heading) !== "") + 1;
  if (named > COLUMNS_MAX)
    throw new ReadError(
      `${table.name} has ${named} columns, and an import reads at most ${COLUMNS_MAX}: remove those that you do not need.`,
    );
  const headings = table.headings.slice(0, COLUMNS_MAX).map(plainHeadingText);
  async function* rows(onBytes?: (bytes: number) => void): AsyncGenerator<TableRow> {
    for await (const row of table.rows(onBytes)) {
      const { cells } = row;
      while (cells.length > headings.length && trimmed(cells.at(-1) ?? "") === "") cells.pop();
      yield row;
    }
  }
  return { ...table, headings, rows };
}
