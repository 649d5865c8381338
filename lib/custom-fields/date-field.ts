import { Type } from "../contract/schema.ts";
import { isDate } from "../values/dates.ts";
import { scalar } from "./scalar.ts";
import type { CustomFieldType } from "./type.ts";

export const dateField: CustomFieldType = {
  ...scalar,
  name: "dateField",
  value: Type.String({ format: "date" }),
  filter: "DATE",
  ordered: { column: "date_value", cast: "date" },
  indexedAs: (stored: string) => [{ date_value: stored }],
  guessedBy: { fits: isDate },
};
