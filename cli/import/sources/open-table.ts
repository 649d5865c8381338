import type { ImportKind } from "../headings.ts";
import { openCsv } from "./csv/csv.ts";
import { type Form, formOf } from "./form.ts";
import { type Input, openInput } from "./input.ts";
import { readAsPreset } from "./preset-table.ts";
import type { ReadOptions, Table } from "./table.ts";
import { openVcards } from "./vcard/vcard.ts";
import { openSheet } from "./xlsx/xlsx.ts";

type Open = (input: Input, options: ReadOptions, kind: ImportKind) => Promise<Table>;

const OPEN: Record<Form, Open> = { csv: openCsv, xlsx: openSheet, vcard: openVcards };

/**
 * Opens a file of records as a table, by what it holds; its name says nothing. "-" is `piped`. docs/guides/import.md#what-files-are-read
 * @throws CommandError when it cannot be read or has no heading
 */
export async function openTable(
  path: string,
  kind: ImportKind,
  options: ReadOptions = {},
  piped?: AsyncIterable<Buffer>,
): Promise<Table> {
  const input = await openInput(path, piped);
  try {
    return await readAsPreset(await OPEN[formOf(input)](input, options, kind), kind);
  } catch (error) {
    input.close();
    throw error;
  }
}
