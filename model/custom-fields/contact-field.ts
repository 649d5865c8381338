import { relationship } from "./relationship.ts";
import type { CustomFieldType } from "./type.ts";

/** People and companies of the workspace. */
export const contactField: CustomFieldType = {
  ...relationship("contact", "a person or company"),
  name: "contactField",
};
