import { type ColumnGuess, guessColumn, LABELS_MAX } from "../../lib/custom-fields/guess.ts";
import { customFieldTypes } from "../../lib/custom-fields/index.ts";
import type { CustomFieldTypeName } from "../../lib/custom-fields/type.ts";
import { comparable } from "../../lib/values/text.ts";
import { CommandError } from "../admin.ts";
import type { Column } from "./columns.ts";
import { valuesOf } from "./row.ts";
import type { Table } from "./sources/table.ts";

export interface NamedField {
  name: string;
  type: CustomFieldTypeName;
}

/** A custom field as it is, or as it shall be. */
export interface ImportField extends NamedField {
  labels: string[];
}

/** What an import needs: fields that the group lacks, and options that its fields lack. */
export interface WantedFields {
  made: ImportField[];
  labelled: ImportField[];
}

/**
 * Reads the whole file and gives the custom fields that its columns need: those that there are, with the labels that they
 * lack, and new ones of the type that all of their cells fit.
 */
export async function fieldsFor(
  file: Table,
  columns: Column[],
  existing: ImportField[],
  onBytes?: (bytes: number) => void,
): Promise<WantedFields> {
  const seen = await lookAt(file, columns, onBytes);
  const made: ImportField[] = [];
  const labelled: ImportField[] = [];
  for (const [key, { name, column }] of seen) {
    const field = existing.find((known) => comparable(known.name) === key);
    if (column.cells === 0) continue;
    if (!field) made.push(guessed(name, column));
    else if (customFieldTypes[field.type].hasOptions) labelled.push(missing(field, column));
  }
  return { made, labelled: labelled.filter(({ labels }) => labels.length > 0) };
}

/** What the columns of each custom field hold, by its name as names are compared. */
async function lookAt(
  file: Table,
  columns: Column[],
  onBytes?: (bytes: number) => void,
): Promise<Map<string, { name: string; column: ColumnGuess }>> {
  const seen = new Map<string, { name: string; column: ColumnGuess }>();
  const custom = columns.flatMap((column) => {
    if (column.target.to !== "custom") return [];
    const { name } = column.target;
    const known = seen.get(comparable(name)) ?? { name, column: guessColumn() };
    seen.set(comparable(name), known);
    return [{ column, guess: known.column }];
  });
  for await (const { cells } of file.rows(onBytes)) {
    for (const { column, guess } of custom) {
      const { values } = valuesOf(column, cells[column.index] ?? "");
      for (const value of values) guess.see(value);
      if (values.length > 1) guess.seeSeveral();
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
