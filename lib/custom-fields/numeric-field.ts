import { canonicalDecimal } from "../decimal.ts";
import { Type } from "../schema.ts";
import { scalar } from "./scalar.ts";
import type { CustomFieldType } from "./type.ts";

export const numericField: CustomFieldType = {
  ...scalar,
  name: "numericField",
  value: Type.Unsafe<string | number>({ type: ["string", "number"], decimal: {} }),
  filter: "NUMBER",
  indexed: "number_value",
  hasConfig: true,
  // The schema has let pass only what has a canonical form.
  take: (sent: string | number) => ({ value: canonicalDecimal(sent) ?? "0" }),
};
