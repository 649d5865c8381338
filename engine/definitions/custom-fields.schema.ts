import {
  byTag,
  closed,
  idSchema,
  oneOf,
  type Static,
  type TSchema,
  Type,
  trimmedName,
} from "../../base/contract/schema.ts";
import { FIELD_NAME_LENGTH_MAX, LABEL_LENGTH_MAX } from "../../config/limits.ts";
import { CUSTOM_FIELD_TYPES, type CustomFieldTypeName } from "../../model/custom-fields/definition.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import type { CustomFieldType } from "../../model/custom-fields/type.ts";

// The schemas of definitions: docs/guides/custom-fields.md#definitions.

export const name = trimmedName(FIELD_NAME_LENGTH_MAX, { example: "Status" });
export const label = trimmedName(LABEL_LENGTH_MAX, { example: "Lead" });
export const color = Type.String({ format: "color", example: "#5738ff" });

const newOption = closed({ label, color: Type.Optional(color) }, { title: "OptionCreate" });
const options = <Item extends TSchema>(item: Item) => Type.Array(item, { minItems: 1, maxItems: 100 });

/** The types of fields that have options. */
export const typesWithOptions = namesOf(({ hasOptions }) => hasOptions);
/** The types of fields that have neither options nor a config. */
export const plainTypes = namesOf(({ hasOptions, config }) => !hasOptions && !config);
/** The types of fields that have a config, each with the schemas of its own. */
export const typesWithConfig = CUSTOM_FIELD_TYPES.flatMap((type) => {
  const { config } = customFieldTypes[type];
  return config ? [{ type, ...config }] : [];
});

function namesOf(condition: (type: CustomFieldType) => boolean): CustomFieldTypeName[] {
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
    closed({ type: oneOf(typesWithOptions), name, options: options(newOption) }, { title: "SelectCreate" }),
    ...typesWithConfig.map(({ type, sent }) =>
      closed(
        { type: oneOf([type]), name, config: Type.Optional(sent) },
        { title: `${type[0]?.toUpperCase()}${type.slice(1)}Create` },
      ),
    ),
    closed({ type: oneOf(plainTypes), name }, { title: "PlainFieldCreate" }),
  ],
  "CustomFieldCreate",
);

export const updateBody = closed(
  {
    name: Type.Optional(name),
    config: Type.Optional(configOfSomeType()),
    addOptions: Type.Optional(options(newOption)),
    updateOptions: Type.Optional(
      options(
        closed(
          { id: idSchema("option"), label: Type.Optional(label), color: Type.Optional(color) },
          { title: "OptionUpdate" },
        ),
      ),
    ),
    removeOptions: Type.Optional(options(idSchema("option"))),
  },
  { title: "CustomFieldUpdate" },
);

/**
 * The config in a request that does not say the type of its field. As soon as several types have one, the schema takes
 * any object, since a union of their schemas would make several issues of one mistake; `changeField` judges by the
 * type.
 */
function configOfSomeType(): TSchema {
  const [only, ...others] = typesWithConfig;
  return only && others.length === 0 ? only.sent : Type.Object({});
}

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
    config: Type.Optional(Type.Union(typesWithConfig.map(({ shown }) => shown))),
  },
  { title: "CustomField" },
);
