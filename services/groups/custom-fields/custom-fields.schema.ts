import { FIELD_NAME_LENGTH_MAX, LABEL_LENGTH_MAX } from "../../../config/limits.ts";
import { closed, idSchema, oneOf, type Static, type TSchema, Type, trimmedName } from "../../../lib/contract/schema.ts";
import { customFieldTypes } from "../../../lib/custom-fields/index.ts";
import { CUSTOM_FIELD_TYPES, type CustomFieldTypeName } from "../../../lib/custom-fields/type.ts";

// The schemas of definitions: docs/guides/custom-fields.md#definitions.

export const name = trimmedName(FIELD_NAME_LENGTH_MAX, { example: "Status" });
export const label = trimmedName(LABEL_LENGTH_MAX, { example: "Lead" });
export const color = Type.String({ format: "color", example: "#5738ff" });
const decimals = Type.Optional(Type.Integer({ minimum: 0, maximum: 5 }));

const newOption = closed({ label, color: Type.Optional(color) });
const options = <Item extends TSchema>(item: Item) => Type.Array(item, { minItems: 1, maxItems: 100 });

/**
 * A schema of several branches, of which the value of the member `tag` chooses one. Only that one is judged, so that one
 * mistake is one issue. Every branch has to require the member.
 */
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

/** The types of fields that have options. */
export const typesWithOptions = namesOf(({ hasOptions }) => hasOptions);
/** The types of fields that have a config. */
export const typesWithConfig = namesOf(({ hasConfig }) => hasConfig);
/** The types of fields that have neither. */
export const plainTypes = namesOf(({ hasOptions, hasConfig }) => !hasOptions && !hasConfig);

function namesOf(condition: (type: { hasOptions: boolean; hasConfig: boolean }) => boolean): CustomFieldTypeName[] {
  return CUSTOM_FIELD_TYPES.filter((type) => condition(customFieldTypes[type]));
}

/** The body of a POST: a field that is to be defined. */
export interface NewField {
  type: CustomFieldTypeName;
  name: string;
  options?: Static<typeof newOption>[];
  config?: Record<string, unknown>;
}

export const createBody = byTag(
  "type",
  [
    closed({ type: oneOf(typesWithOptions), name, options: options(newOption) }),
    closed({ type: oneOf(typesWithConfig), name, config: Type.Optional(config) }),
    closed({ type: oneOf(plainTypes), name }),
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

/** The body of a PATCH. docs/guides/custom-fields.md#changing-a-field */
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
