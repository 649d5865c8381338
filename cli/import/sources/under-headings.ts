import { CommandError } from "../../admin.ts";
import { plainHeadingText, trimmed } from "../cells.ts";
import { TABLE_COLUMNS_MAX, type Table, type TableRow } from "./table.ts";

/**
 * A table with its headings as they are compared, and without the blank cells that spreadsheets write beyond them.
 * @throws CommandError when it has too many columns
 */
export function underHeadings(table: Table): Table {
  const named = table.headings.findLastIndex((heading) => trimmed(heading) !== "") + 1;
  if (named > TABLE_COLUMNS_MAX)
    throw new CommandError(
      `${table.name} has more than ${TABLE_COLUMNS_MAX} columns: take away those that are not needed.`,
    );
  const headings = table.headings.slice(0, TABLE_COLUMNS_MAX).map(plainHeadingText);
  async function* rows(onBytes?: (bytes: number) => void): AsyncGenerator<TableRow> {
    for await (const row of table.rows(onBytes)) {
      const { cells } = row;
      while (cells.length > headings.length && trimmed(cells.at(-1) ?? "") === "") cells.pop();
      yield row;
    }
  }
  return { ...table, headings, rows };
}
