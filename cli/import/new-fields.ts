import { isDate } from "../../lib/values/dates.ts";
import { canonicalDecimal } from "../../lib/values/decimal.ts";
import { comparable } from "../../lib/values/text.ts";
import { CommandError } from "../admin.ts";
import type { Column } from "./columns.ts";
import type { CsvFile } from "./csv-file.ts";
import { valuesOf } from "./row.ts";

/** A custom field as it is, or as it shall be. */
export interface ImportField {
  name: string;
  type: string;
  labels: string[];
}

const OPTIONS_GUESSED_MAX = 50;
/** So many cells per label tell a list of choices from texts that happen to be few. */
const REPEATED_TIMES = 3;
const LABEL_LENGTH_MAX = 500;
/** A column with more of them is no choice. */
const LABELS_MAX = 2_000;

/** What the whole column says about its type, kept small: a file may have a million rows. */
interface Seen {
  cells: number;
  dates: boolean;
  numbers: boolean;
  labels: Set<string>;
  tooLong: boolean;
}

/**
 * Reads the whole file and gives the custom fields that its columns need: those that there are, with the labels that they
 * lack, and new ones of the type that all of their cells fit.
 */
export async function fieldsFor(
  file: CsvFile,
  columns: Column[],
  existing: ImportField[],
  onBytes?: (bytes: number) => void,
): Promise<{ made: ImportField[]; labelled: ImportField[] }> {
  const seen = await lookAt(file, columns, onBytes);
  const made: ImportField[] = [];
  const labelled: ImportField[] = [];
  for (const [name, all] of seen) {
    const field = existing.find((known) => comparable(known.name) === comparable(name));
    if (!field) made.push(guessed(name, all));
    else if (field.type === "singleSelect" || field.type === "multipleSelect") labelled.push(missing(field, all));
  }
  return { made, labelled: labelled.filter(({ labels }) => labels.length > 0) };
}

/** Custom field → what its column holds. */
async function lookAt(file: CsvFile, columns: Column[], onBytes?: (bytes: number) => void): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>();
  const custom = columns.flatMap((column) => {
    if (column.target.to !== "custom") return [];
    const all = { cells: 0, dates: true, numbers: true, labels: new Set<string>(), tooLong: false };
    seen.set(column.target.name, all);
    return [{ column, all }];
  });
  for await (const { cells } of file.rows(onBytes)) {
    for (const { column, all } of custom) {
      for (const value of valuesOf(column, cells[column.index] ?? "").values) look(all, value);
    }
  }
  return seen;
}

function look(seen: Seen, value: string): void {
  seen.cells += 1;
  seen.dates &&= isDate(value);
  seen.numbers &&= isNumber(value);
  seen.tooLong ||= value.trim().length > LABEL_LENGTH_MAX;
  const label = comparable(value.trim());
  if (label !== "" && seen.labels.size <= LABELS_MAX) seen.labels.add(label);
}

/** Zeros in front are those of postal codes and numbers of articles, which a number would lose. */
function isNumber(text: string): boolean {
  return canonicalDecimal(text) !== null && !/^[+-]?0\d|^\+/.test(text);
}

function guessed(name: string, { cells, dates, numbers, labels, tooLong }: Seen): ImportField {
  if (cells === 0) return { name, type: "textField", labels: [] };
  if (dates) return { name, type: "dateField", labels: [] };
  if (numbers) return { name, type: "numericField", labels: [] };
  const isChoice =
    !tooLong && labels.size > 0 && labels.size <= OPTIONS_GUESSED_MAX && cells >= labels.size * REPEATED_TIMES;
  return isChoice ? { name, type: "singleSelect", labels: [...labels] } : { name, type: "textField", labels: [] };
}

function missing(field: ImportField, { labels }: Seen): ImportField {
  const known = new Set(field.labels.map(comparable));
  const added = [...labels].filter((label) => !known.has(label));
  if (added.length > LABELS_MAX)
    throw new CommandError(
      `The column "${field.name}" has more than ${LABELS_MAX} different values, too many for the options of the field. Map it to another field.`,
    );
  return { ...field, labels: added };
}
