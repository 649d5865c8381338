import type { Path } from "../contract/issues.ts";
import { comparable } from "../values/text.ts";
import type { FieldDefinition, Option } from "./definition.ts";

/** The option with this label. Only the labels of definitions are trimmed, not those of values. */
export function optionOf(field: FieldDefinition, label: string): Option | undefined {
  return field.optionsByLabel.get(comparable(label));
}

/** The fault of a label that the field does not have. */
export function unknownLabel(field: FieldDefinition, label: string, below: Path): { below: Path; message: string } {
  return { below, message: `The field "${field.name}" has no option "${label.slice(0, 100)}"` };
}
