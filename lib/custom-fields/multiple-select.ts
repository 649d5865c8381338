import { LABEL_LENGTH_MAX } from "../../config/limits.ts";
import type { FieldDefinition } from "../catalog.ts";
import { plainText, Type } from "../schema.ts";
import { ITEMS_MAX, unique } from "./list.ts";
import { optionOf, unknownLabel } from "./options.ts";
import type { CustomFieldType } from "./type.ts";

export const multipleSelect: CustomFieldType = {
  name: "multipleSelect",
  value: Type.Array(plainText(LABEL_LENGTH_MAX), { maxItems: ITEMS_MAX }),
  filter: "MULTIREF",
  namedBy: "value",
  hasOptions: true,
  hasConfig: false,
  take(labels: string[], field: FieldDefinition) {
    const options = labels.map((label) => optionOf(field, label));
    const faults = labels.flatMap((label, i) => (options[i] ? [] : [unknownLabel(field, label, [i])]));
    return faults.length > 0
      ? { faults }
      : { value: unique(options.flatMap((option) => (option ? [option.uuid] : []))) };
  },
  present(uuids: string[], field: FieldDefinition) {
    const labels = uuids.flatMap((uuid) => field.optionsByUuid.get(uuid)?.label ?? []);
    return labels.length > 0 ? labels : null;
  },
  indexedAs: (uuids: string[]) => uuids.map((item) => ({ item })),
};
