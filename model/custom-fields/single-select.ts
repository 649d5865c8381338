import { plainText, Type } from "../../base/contract/schema.ts";
import type { Uuid } from "../../base/values/ids.ts";
import { LABEL_LENGTH_MAX } from "../../config/limits.ts";
import type { FieldDefinition } from "./definition.ts";
import { labelOf, optionOf, unknownLabel } from "./options.ts";
import type { CustomFieldType } from "./type.ts";

/** An import takes a column with more different labels for texts. docs/guides/import-matching.md#custom-fields */
const OPTIONS_GUESSED_MAX = 50;
/** Number of cells for each label from which on a column counts as choices: other texts are seldom repeated. */
const REPEATED_TIMES = 3;

export const singleSelect: CustomFieldType = {
  name: "singleSelect",
  value: plainText(LABEL_LENGTH_MAX, { description: "The label of an option of the field" }),
  shown: Type.String(),
  filter: "SELECT",
  sortedBy: "option",
  namedBy: "value",
  hasOptions: true,
  store(label: string, field: FieldDefinition) {
    const option = optionOf(field, label);
    return option ? { value: option.uuid } : { faults: [unknownLabel(field, label, [])] };
  },
  present: (uuid: Uuid, field: FieldDefinition) => field.optionsByUuid.get(uuid)?.label ?? null,
  indexedAs: (uuid: string) => [{ item: uuid }],
  fromTexts: (texts) => texts.join(" ").trim(),
  toCell: (label: string) => label,
  guessedBy: {
    fits: (text) => text.trim() === "" || labelOf(text) !== undefined,
    suits: ({ cells, labels }) =>
      labels.size > 0 && labels.size <= OPTIONS_GUESSED_MAX && cells >= labels.size * REPEATED_TIMES,
  },
};
