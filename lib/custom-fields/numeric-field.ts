import { Type } from "../contract/schema.ts";
import { canonicalDecimal } from "../values/decimal.ts";
import type { SentNumber } from "../values/exact-number.ts";
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
  store: (sent: SentNumber) => ({ value: canonicalDecimal(sent) ?? "0" }),
  // A number would lose the zeros in front of postal codes and article numbers, and the plus in front of telephone numbers.
  guessedBy: { fits: (text) => canonicalDecimal(text) !== null && !/^[+-]?0\d|^\+/.test(text) },
};
