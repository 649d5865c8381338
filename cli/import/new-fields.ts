import { type ColumnGuess, guessColumn, LABELS_MAX } from "../../lib/custom-fields/guess.ts";
import { customFieldTypes } from "../../lib/custom-fields/index.ts";
import type { CustomFieldTypeName } from "../../lib/custom-fields/type.ts";
import { comparable } from "../../lib/values/text.ts";
import { CommandError } from "../admin.ts";
import type { Column } from "./columns.ts";
import type { CsvFile } from "./csv-file.ts";
import { valuesOf } from "./row.ts";

/** A custom field as it is, or as it shall be. */
export interface ImportField {
  name: string;
  type: CustomFieldTypeName;
  labels: string[];
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
    else if (customFieldTypes[field.type].hasOptions) labelled.push(missing(field, all));
  }
  return { made, labelled: labelled.filter(({ labels }) => labels.length > 0) };
}

/** Custom field → what its column holds. */
async function lookAt(
  file: CsvFile,
  columns: Column[],
  onBytes?: (bytes: number) => void,
): Promise<Map<string, ColumnGuess>> {
  const seen = new Map<string, ColumnGuess>();
  const custom = columns.flatMap((column) => {
    if (column.target.to !== "custom") return [];
    const all = guessColumn();
    seen.set(column.target.name, all);
    return [{ column, all }];
  });
  for await (const { cells } of file.rows(onBytes)) {
    for (const { column, all } of custom) {
      for (const value of valuesOf(column, cells[column.index] ?? "").values) all.see(value);
    }
  }
  return seen;
}

function guessed(name: string, column: ColumnGuess): ImportField {
  const { name: type, hasOptions } = column.type();
  return { name, type, labels: hasOptions ? [...column.labels] : [] };
}

function missing(field: ImportField, { labels }: ColumnGuess): ImportField {
  const known = new Set(field.labels.map(comparable));
  const added = [...labels].filter((label) => !known.has(label));
  if (added.length > LABELS_MAX)
    throw new CommandError(
      `The column "${field.name}" has more than ${LABELS_MAX} different values, too many for the options of the field. Map it to another field.`,
    );
  return { ...field, labels: added };
}
