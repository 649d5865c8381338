import { LABEL_LENGTH_MAX } from "../../config/limits.ts";
import { plainText, Type } from "../contract/schema.ts";
import type { Uuid } from "../values/ids.ts";
import type { FieldDefinition } from "./definition.ts";
import { labelOf, optionOf, unknownLabel } from "./options.ts";
import type { CustomFieldType } from "./type.ts";

/** A column with more different texts is no list of choices. */
const OPTIONS_GUESSED_MAX = 50;
/** So many cells for each label tell choices from texts that happen to be few. */
const REPEATED_TIMES = 3;

export const singleSelect: CustomFieldType = {
  name: "singleSelect",
  value: plainText(LABEL_LENGTH_MAX, { description: "The label of an option of the field" }),
  shown: Type.String(),
  filter: "SELECT",
  namedBy: "value",
  hasOptions: true,
  take(label: string, field: FieldDefinition) {
    const option = optionOf(field, label);
    return option ? { value: option.uuid } : { faults: [unknownLabel(field, label, [])] };
  },
  present: (uuid: Uuid, field: FieldDefinition) => field.optionsByUuid.get(uuid)?.label ?? null,
  indexedAs: (uuid: string) => [{ item: uuid }],
  fromTexts: (texts) => texts.join(" ").trim(),
  guessedBy: {
    fits: (text) => text.trim() === "" || labelOf(text) !== undefined,
    suits: ({ cells, labels }) =>
      labels.size > 0 && labels.size <= OPTIONS_GUESSED_MAX && cells >= labels.size * REPEATED_TIMES,
  },
};
