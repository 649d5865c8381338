import type { Path } from "../../base/contract/issues.ts";
import { canEqual, comparable } from "../../base/values/text.ts";
import { LABEL_LENGTH_MAX } from "../../config/limits.ts";
import type { FieldDefinition, Option } from "./definition.ts";

/**
 * The label that an import makes of a cell: trimmed like the labels of definitions, in the form in which labels are
 * compared. Undefined for a text that no option can have.
 */
export function labelOf(text: string): string | undefined {
  const trimmed = text.trim();
  if (!canEqual(trimmed, LABEL_LENGTH_MAX)) return undefined;
  const label = comparable(trimmed);
  return label !== "" && label.length <= LABEL_LENGTH_MAX ? label : undefined;
}

/**
 * The option with this label. A label in a value is not trimmed, unlike one in a definition. docs/guides/values.md#text
 */
export function optionOf(field: FieldDefinition, label: string): Option | undefined {
  return field.optionsByLabel.get(comparable(label));
}

/** The fault of a label that the field does not have. */
export function unknownLabel(field: FieldDefinition, label: string, below: Path): { below: Path; message: string } {
  return { below, message: `The field "${field.name}" has no option "${label.slice(0, 100)}"` };
}
