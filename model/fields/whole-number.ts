import { nullable, Type } from "../../base/contract/schema.ts";
import { canonicalDecimal } from "../../base/values/decimal.ts";
import type { SentNumber } from "../../base/values/exact-number.ts";
import { type Field, inColumn } from "./field.ts";

/** A whole number in a range. It takes a number, or a text of its digits, and is answered as the digits; null when unset. */
export function wholeNumber(column: string, range: { min: number; max: number }): Field {
  return {
    read: nullable(Type.String()),
    write: Type.Unsafe<SentNumber | null>({
      type: ["string", "number", "null"],
      wholeNumber: range,
      example: "1999",
    }),
    filter: "NUMBER",
    storage: inColumn(column, "numeric", null, {
      store: (sent) => (sent === null ? null : canonicalDecimal(sent as SentNumber)),
      present: (stored) => (stored === null ? null : String(stored)),
    }),
  };
}
