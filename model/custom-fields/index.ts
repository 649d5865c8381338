import { contactField } from "./contact-field.ts";
import { dateField } from "./date-field.ts";
import type { CustomFieldTypeName } from "./definition.ts";
import { multipleSelect } from "./multiple-select.ts";
import { numericField } from "./numeric-field.ts";
import { objectField } from "./object-field.ts";
import { singleSelect } from "./single-select.ts";
import { textField } from "./text-field.ts";
import type { CustomFieldType } from "./type.ts";
import { userField } from "./user-field.ts";

/** The types of custom fields by their names. docs/guides/custom-fields.md#types */
export const customFieldTypes: Record<CustomFieldTypeName, CustomFieldType> = {
  textField,
  numericField,
  dateField,
  singleSelect,
  multipleSelect,
  userField,
  contactField,
  objectField,
};
