import { FIELD_NAME_LENGTH_MAX, LABEL_LENGTH_MAX } from "../../../config/limits.ts";
import { closed, idSchema, oneOf, type Static, type TSchema, Type, trimmedName } from "../../../lib/contract/schema.ts";
import { customFieldTypes } from "../../../lib/custom-fields/index.ts";
import { CUSTOM_FIELD_TYPES, type CustomFieldTypeName } from "../../../lib/custom-fields/type.ts";

// Custom field definitions: API document, "Custom field definition"; gaps 4, "Custom field".

export const name = trimmedName(FIELD_NAME_LENGTH_MAX, { example: "Status" });
export const label = trimmedName(LABEL_LENGTH_MAX, { example: "Lead" });
export const color = Type.String({ format: "color", example: "#5738ff" });
const decimals = Type.Optional(Type.Integer({ minimum: 0, maximum: 5 }));

const newOption = closed({ label, color: Type.Optional(color) });
const options = <Item extends TSchema>(item: Item) => Type.Array(item, { minItems: 1, maxItems: 100 });

/** Exactly one branch is judged, chosen by a member's value, so that one mistake is one issue. The branches require the member. */
export function byTag(tag: string, branches: TSchema[], title?: string): TSchema {
  return Type.Unsafe({
    type: "object",
    discriminator: { propertyName: tag },
    oneOf: branches,
    ...(title !== undefined && { title }),
  });
}

const currency = Type.String({ format: "currency", example: "USD" });
const formatsWithoutCurrency = ["default", "percent", "none", "number"] as const;

export const config = byTag("format", [
  closed({ format: oneOf(["currency"]), currency, decimals }),
  closed({ format: oneOf(formatsWithoutCurrency), decimals }),
]);

export const withOptions = namesOf(({ hasOptions }) => hasOptions);
export const withConfig = namesOf(({ hasConfig }) => hasConfig);
export const plain = namesOf(({ hasOptions, hasConfig }) => !hasOptions && !hasConfig);

function namesOf(condition: (type: { hasOptions: boolean; hasConfig: boolean }) => boolean): CustomFieldTypeName[] {
  return CUSTOM_FIELD_TYPES.filter((type) => condition(customFieldTypes[type]));
}

export interface NewField {
  type: CustomFieldTypeName;
  name: string;
  options?: Static<typeof newOption>[];
  config?: Record<string, unknown>;
}

export const createBody = byTag(
  "type",
  [
    closed({ type: oneOf(withOptions), name, options: options(newOption) }),
    closed({ type: oneOf(withConfig), name, config: Type.Optional(config) }),
    closed({ type: oneOf(plain), name }),
  ],
  "CustomFieldCreate",
);

export const updateBody = closed(
  {
    name: Type.Optional(name),
    config: Type.Optional(config),
    addOptions: Type.Optional(options(newOption)),
    updateOptions: Type.Optional(
      options(closed({ id: idSchema("option"), label: Type.Optional(label), color: Type.Optional(color) })),
    ),
    removeOptions: Type.Optional(options(idSchema("option"))),
  },
  { title: "CustomFieldUpdate" },
);

export interface FieldUpdate {
  name?: string;
  config?: Record<string, unknown>;
  addOptions?: Static<typeof newOption>[];
  updateOptions?: { id: string; label?: string; color?: string }[];
  removeOptions?: string[];
}

export const customFieldSchema = closed(
  {
    name: Type.String(),
    type: oneOf(CUSTOM_FIELD_TYPES),
    options: Type.Optional(Type.Array(closed({ id: idSchema("option"), label: Type.String(), color }))),
    config: Type.Optional(
      closed({
        format: oneOf([...formatsWithoutCurrency, "currency"]),
        currency: Type.Optional(currency),
        decimals,
      }),
    ),
  },
  { title: "CustomField" },
);
