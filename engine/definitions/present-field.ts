import { toId } from "../../base/values/ids.ts";
import type { FieldDefinition } from "../../model/custom-fields/definition.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";

/**
 * A custom field as answers show it: selects have options, numeric fields a config.
 * docs/guides/custom-fields.md#definitions
 */
export function presentField({ name, type, options, config }: FieldDefinition) {
  const { hasOptions } = customFieldTypes[type];
  return {
    name,
    type,
    ...(hasOptions && {
      options: options.map(({ uuid, label, color }) => ({ id: toId("option", uuid), label, color })),
    }),
    ...(config && { config }),
  };
}

const texts = new WeakMap<FieldDefinition, string>();

/**
 * The JSON text of a custom field. It is made once for each version of the definitions, since a field may have
 * thousands of options.
 */
export function fieldText(field: FieldDefinition): string {
  const text = texts.get(field) ?? JSON.stringify(presentField(field));
  texts.set(field, text);
  return text;
}
