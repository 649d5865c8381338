import { accessSync, closeSync, constants, existsSync, openSync, writeSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { trimmed } from "contact-workspace-readers/cell-text";
import type { Table } from "contact-workspace-readers/table";
import { CommandError } from "../terminal/admin.ts";
import type { Column } from "./columns.ts";
import type { CellFault } from "./row.ts";

/** Headings behind the cells of a row that was refused as a whole or in part. An import skips these columns. */
const REFUSAL_HEADINGS = ["Refused line", "Refused column", "Refused reason"];

/** Above the id of the record that was written without a cell: by it the mended row finds the record. */
export const RECORD_HEADING = "Refused record";

/** The rows that have to be mended. docs/guides/import.md#refused-rows-as-a-file */
export interface RefusedFile {
  add(line: number, cells: string[], faults: CellFault[], record: string | undefined): void;
  /** Its name, once it has a row. */
  written(): string | undefined;
  close(): void;
}

/**
 * The columns without those that an earlier import has added: these are left out, but for the ids, unless the map names
 * them.
 */
export function withoutRefusals(columns: Column[], isMapped: (heading: string) => boolean): Column[] {
  return columns.map((column) => {
    if (isMapped(column.heading)) return column;
    if (trimmed(column.heading) === RECORD_HEADING) return { ...column, target: { to: "id", name: "id" } };
    return isRefusal(column.heading) ? { ...column, target: { to: "nowhere", because: "refusal" } } : column;
  });
}

const isRefusal = (heading: string): boolean => REFUSAL_HEADINGS.includes(trimmed(heading));
const isOfRefusal = (heading: string): boolean => isRefusal(heading) || trimmed(heading) === RECORD_HEADING;

/**
 * A file of refused rows, as CSV in UTF-8, with a byte order mark, without which Excel takes it for another encoding,
 * and with the headings and the delimiter of the file that they come from. It is made with its first row. Without a
 * name it is put beside that file, or where this is not allowed into the current folder, under a name that is free.
 * @throws CommandError when a file of the given name exists already
 */
export function openRefusedFile(file: Table, asked: string | undefined): RefusedFile {
  if (asked !== undefined && existsSync(asked))
    throw new CommandError(`The file ${asked} for refused rows exists already: remove it, or name another.`);
  const name = asked ?? freeName(file.name);
  const delimiter = file.delimiter ?? ",";
  const kept = file.headings.flatMap((heading, index) => (isOfRefusal(heading) ? [] : [index]));
  let descriptor: number | undefined;

  function write(cells: string[]): void {
    if (name === undefined) return;
    const mark = descriptor === undefined ? "\ufeff" : "";
    descriptor ??= open(name);
    writeSync(descriptor, `${mark}${cells.map((cell) => csvCell(cell, delimiter)).join(delimiter)}\r\n`);
  }

  return {
    add(line, cells, faults, record = "") {
      if (descriptor === undefined)
        write([...kept.map((index) => file.headings[index] ?? ""), ...REFUSAL_HEADINGS, RECORD_HEADING]);
      // A row of one cell has another delimiter than the file: with more cells it would pass for a row that is in
      // order.
      if (cells.length === 1 && file.headings.length > 1) return write(cells);
      const columns = faults.flatMap(({ column }) => column ?? []).join("; ");
      const reasons = faults.map(({ reason }) => reason).join("; ");
      const surplus = cells.slice(file.headings.length);
      write([...kept.map((index) => cells[index] ?? ""), String(line), columns, reasons, record, ...surplus]);
    },
    written: () => (descriptor === undefined ? undefined : name),
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}

/** Opens the file of refused rows. An existing file is never opened: it can belong to another command. */
function open(name: string): number {
  try {
    return openSync(name, "wx");
  } catch (error) {
    throw new CommandError(`The file ${name} for refused rows cannot be made: ${(error as Error).message}`);
  }
}

/** `people.refused.csv`, or `people.refused-2.csv` when there is one; undefined when neither folder can be written. */
function freeName(source: string): string | undefined {
  const isFile = existsSync(source);
  const plain = isFile ? basename(source, extname(source)).replace(/\.refused(?:-\d+)?$/, "") : "";
  const folder = [...(isFile ? [dirname(source)] : []), "."].find(isWritable);
  if (folder === undefined) return undefined;
  for (let number = 1; ; number++) {
    const mark = number === 1 ? "refused" : `refused-${number}`;
    const name = join(folder, plain === "" ? `${mark}.csv` : `${plain}.${mark}.csv`);
    if (!existsSync(name)) return name;
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function csvCell(cell: string, delimiter: string): string {
  const isPlain = !/["\r\n]/.test(cell) && !cell.includes(delimiter);
  return isPlain ? cell : `"${cell.replaceAll('"', '""')}"`;
}
