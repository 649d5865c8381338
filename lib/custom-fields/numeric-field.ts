import { canonicalDecimal } from "../decimal.ts";
import type { SentNumber } from "../exact-number.ts";
import { Type } from "../schema.ts";
import { scalar } from "./scalar.ts";
import type { CustomFieldType } from "./type.ts";

export const numericField: CustomFieldType = {
  ...scalar,
  name: "numericField",
  value: Type.Unsafe<SentNumber>({ type: ["string", "number"], decimal: {} }),
  filter: "NUMBER",
  ordered: { column: "number_value", cast: "numeric" },
  hasConfig: true,
  indexedAs: (stored: string) => [{ number_value: stored }],
  // The schema has let pass only what has a canonical form.
  take: (sent: SentNumber) => ({ value: canonicalDecimal(sent) ?? "0" }),
};
