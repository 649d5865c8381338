import { relationship } from "./relationship.ts";
import type { CustomFieldType } from "./type.ts";

/** Objects of any type of the field's own group. */
export const objectField: CustomFieldType = {
  ...relationship("object", "an object of the group"),
  name: "objectField",
  registersObjectType: true,
};
