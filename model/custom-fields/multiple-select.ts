import { plainText, Type } from "../../base/contract/schema.ts";
import type { Uuid } from "../../base/values/ids.ts";
import { LABEL_LENGTH_MAX } from "../../config/limits.ts";
import type { FieldDefinition } from "./definition.ts";
import { cellOf, entriesOf, ITEMS_MAX, unique } from "./list.ts";
import { optionOf, unknownLabel } from "./options.ts";
import type { CustomFieldType } from "./type.ts";

export const multipleSelect: CustomFieldType = {
  name: "multipleSelect",
  value: Type.Array(plainText(LABEL_LENGTH_MAX), {
    maxItems: ITEMS_MAX,
    description: "Labels of options of the field",
  }),
  shown: Type.Array(Type.String()),
  filter: "MULTIREF",
  namedBy: "value",
  hasOptions: true,
  store(labels: string[], field: FieldDefinition) {
    const options = labels.map((label) => optionOf(field, label));
    const faults = labels.flatMap((label, i) => (options[i] ? [] : [unknownLabel(field, label, [i])]));
    return faults.length > 0
      ? { faults }
      : { value: unique(options.flatMap((option) => (option ? [option.uuid] : []))) };
  },
  present(uuids: Uuid[], field: FieldDefinition) {
    const labels = uuids.flatMap((uuid) => field.optionsByUuid.get(uuid)?.label ?? []);
    return labels.length > 0 ? labels : null;
  },
  indexedAs: (uuids: string[]) => uuids.map((item) => ({ item })),
  fromTexts: entriesOf,
  toCell: cellOf,
};
