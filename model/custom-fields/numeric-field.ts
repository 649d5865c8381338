import { byTag, closed, oneOf, Type } from "../../base/contract/schema.ts";
import { canonicalDecimal } from "../../base/values/decimal.ts";
import type { SentNumber } from "../../base/values/exact-number.ts";
import { scalar } from "./scalar.ts";
import type { CustomFieldType } from "./type.ts";

const FORMATS_WITHOUT_CURRENCY = ["default", "percent", "none", "number"] as const;
const currency = Type.String({ format: "currency", example: "USD" });
const decimals = Type.Optional(Type.Integer({ minimum: 0, maximum: 5 }));

export const numericField: CustomFieldType = {
  ...scalar,
  name: "numericField",
  value: Type.Unsafe<SentNumber>({ type: ["string", "number"], decimal: {} }),
  filter: "NUMBER",
  sortedBy: "number_value",
  ordered: { column: "number_value", cast: "numeric" },
  config: {
    sent: byTag("format", [
      closed({ format: oneOf(["currency"]), currency, decimals }),
      closed({ format: oneOf(FORMATS_WITHOUT_CURRENCY), decimals }),
    ]),
    shown: closed({
      format: oneOf([...FORMATS_WITHOUT_CURRENCY, "currency"]),
      currency: Type.Optional(currency),
      decimals,
    }),
    unset: { format: "default" },
  },
  indexedAs: (stored: string) => [{ number_value: stored }],
  // The schema has only accepted values with a canonical form.
  store: (sent: SentNumber) => ({ value: canonicalDecimal(sent) ?? "0" }),
  // A number would lose the zeros in front of postal codes and article numbers, and the plus in front of telephone
  // numbers.
  guessedBy: { fits: (text) => canonicalDecimal(text) !== null && !/^[+-]?0\d|^\+/.test(text) },
};
