import { trimmed } from "contact-workspace-readers/cell-text";
import type { Table } from "contact-workspace-readers/table";
import { type RecordKind, uuidOf } from "../../base/values/ids.ts";
import { comparable } from "../../base/values/text.ts";
import type { Column } from "./columns.ts";
import type { ImportKind } from "./headings.ts";
import type { ImportField } from "./new-fields.ts";
import { RESOURCES } from "./resources.ts";

/** An export puts an underscore behind a heading that is the name of a custom field, too. docs/guides/export.md#columns */
const ID_HEADING = /^id_?$/i;
/** Further columns of `export --server-fields`, which only the server sets. */
const SERVER_HEADINGS = /^(?:createdAt|createdBy|groups)_?$/;

/**
 * The columns with that of the ids of records, by which rows find theirs. Programs call their own numbers "id" as well, so the first
 * cell of the column decides. docs/guides/import.md#ids
 */
export async function withIdColumn(
  columns: Column[],
  file: Table,
  kind: ImportKind,
  existing: ImportField[],
): Promise<Column[]> {
  const isFree = ({ target }: Column) =>
    target.to === "nowhere"
      ? target.because === "unknown"
      : target.to === "custom" && !existing.some(({ name }) => comparable(name) === comparable(target.name));
  const ids = columns.find((column) => ID_HEADING.test(column.heading) && isFree(column));
  if (!ids || !(await holdsIds(file, ids, RESOURCES[kind].kind))) return columns;
  return columns.map((column): Column => {
    if (column === ids) return { ...column, target: { to: "id", name: "id" } };
    if (SERVER_HEADINGS.test(column.heading) && isFree(column))
      return { ...column, target: { to: "nowhere", because: "server" } };
    return column;
  });
}

async function holdsIds(file: Table, { index }: Column, kind: RecordKind): Promise<boolean> {
  for await (const { cells } of file.rows()) {
    const cell = trimmed(cells[index] ?? "");
    if (cell !== "") return uuidOf(kind, cell) !== null;
  }
  return false;
}
