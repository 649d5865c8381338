import { plainText } from "../contract/schema.ts";
import type { FieldDefinition } from "./definition.ts";
import { optionOf, unknownLabel } from "./options.ts";
import type { CustomFieldType } from "./type.ts";

export const singleSelect: CustomFieldType = {
  name: "singleSelect",
  value: plainText(500, { description: "The label of an option of the field" }),
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
