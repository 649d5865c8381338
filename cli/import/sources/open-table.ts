import { openCsv } from "./csv.ts";
import type { Table } from "./table.ts";

/**
 * Opens a file of records as a table, by what it holds. docs/guides/import.md
 * @throws CommandError when it cannot be read or has no heading
 */
export function openTable(name: string): Promise<Table> {
  return openCsv(name);
}
