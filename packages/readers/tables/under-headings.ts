import { plainHeadingText, trimmed } from "../cell-text.ts";
import { ReadError } from "../read-error.ts";
import type { Table, TableRow } from "./table.ts";

/** Each row is looked at in each column, so that a file of very many columns takes hours. */
const COLUMNS_MAX = 2_000;

/**
 * A table with its headings as they are compared, and without the blank cells that spreadsheets write beyond them.
 * @throws ReadError when it has too many columns
 */
export function underHeadings(table: Table): Table {
  const named = table.headings.findLastIndex((heading) => trimmed(heading) !== "") + 1;
  if (named > COLUMNS_MAX)
    throw new ReadError(
      `${table.name} has ${named} columns, and an import reads at most ${COLUMNS_MAX}: take away those that are not needed.`,
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
