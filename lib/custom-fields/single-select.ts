import { LABEL_LENGTH_MAX } from "../../config/limits.ts";
import type { FieldDefinition } from "../catalog.ts";
import { plainText } from "../schema.ts";
import { optionOf, unknownLabel } from "./options.ts";
import type { CustomFieldType } from "./type.ts";

export const singleSelect: CustomFieldType = {
  name: "singleSelect",
  value: plainText(LABEL_LENGTH_MAX),
  filter: "SELECT",
  namedBy: "value",
  hasOptions: true,
  hasConfig: false,
  take(label: string, field: FieldDefinition) {
    const option = optionOf(field, label);
    return option ? { value: option.uuid } : { faults: [unknownLabel(field, label, [])] };
  },
  present: (uuid: string, field: FieldDefinition) => field.optionsByUuid.get(uuid)?.label ?? null,
  indexedAs: (uuid: string) => [{ item: uuid }],
};
