import { comparable } from "../../base/values/text.ts";
import type { CustomFieldTypeName } from "../../model/custom-fields/definition.ts";
import { type ColumnGuess, LABELS_MAX } from "../../model/custom-fields/guess.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import { CommandError } from "../terminal/admin.ts";

/** A custom field as it is, or as it shall be. */
export interface ImportField {
  name: string;
  type: CustomFieldTypeName;
  labels: string[];
}

/** Fields that the group lacks, and options that its fields lack, for an import. */
export interface WantedFields {
  made: ImportField[];
  labelled: ImportField[];
}

/**
 * The custom fields that the columns of a file need: those that there are, with the labels that they lack, and new ones
 * of the type that all of their cells fit. A column without a value makes nothing.
 * @param custom the name of each field in the form in which names are compared → its name, and what its columns hold
 */
export function fieldsFor(
  custom: Map<string, { name: string; column: ColumnGuess }>,
  existing: ImportField[],
): WantedFields {
  const made: ImportField[] = [];
  const labelled: ImportField[] = [];
  for (const [key, { name, column }] of custom) {
    const field = existing.find((known) => comparable(known.name) === key);
    if (column.cells === 0) continue;
    if (!field) made.push(guessed(name, column));
    else if (customFieldTypes[field.type].hasOptions) labelled.push(missing(field, column));
  }
  return { made, labelled: labelled.filter(({ labels }) => labels.length > 0) };
}

function guessed(name: string, column: ColumnGuess): ImportField {
  const { name: type, hasOptions } = column.type();
  return { name, type, labels: hasOptions ? [...column.labels] : [] };
}

function missing(field: ImportField, { labels }: ColumnGuess): ImportField {
  const known = new Set(field.labels.map(comparable));
  // A cell of a field that takes several labels may hold several.
  const all = new Set(
    [...labels].flatMap((cell) => [customFieldTypes[field.type].fromTexts([cell], false)].flat().map(String)),
  );
  const added = [...all].filter((label) => !known.has(label));
  if (added.length > LABELS_MAX)
    throw new CommandError(
      `The column "${field.name}" has more than ${LABELS_MAX} different values, too many for the options of the field. Map it to another field.`,
    );
  return { ...field, labels: added };
}
