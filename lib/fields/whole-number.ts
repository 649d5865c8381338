import { canonicalDecimal } from "../decimal.ts";
import type { SentNumber } from "../exact-number.ts";
import type { Field } from "../resource.ts";
import { nullable, Type } from "../schema.ts";

/** A whole number in a range: a number or its digits go in, the digits come out, null when unset. */
export function wholeNumber(column: string, range: { min: number; max: number }): Field {
  return {
    read: nullable(Type.String()),
    write: Type.Unsafe<SentNumber | null>({
      type: ["string", "number", "null"],
      wholeNumber: range,
      example: "1999",
    }),
    filter: "NUMBER",
    storage: {
      shape: "column",
      column,
      unset: null,
      store: (sent) => (sent === null ? null : canonicalDecimal(sent as SentNumber)),
      present: (stored) => (stored === null ? null : String(stored)),
    },
  };
}
