import { nullable, Type } from "../../base/contract/schema.ts";
import { canonicalDecimal } from "../../base/values/decimal.ts";
import type { SentNumber } from "../../base/values/exact-number.ts";
import { type Field, inColumn } from "./field.ts";

/**
 * An exact decimal. It takes a number, or a text of up to `maxLength` characters with one, and is answered as the
 * canonical text; null when unset. docs/guides/values.md#numbers
 */
export function decimal(column: string, { min, maxLength }: { min: number; maxLength: number }): Field {
  return {
    read: nullable(Type.String()),
    write: Type.Unsafe<SentNumber | null>({
      type: ["string", "number", "null"],
      decimal: { min, maxLength },
      example: "1500000",
    }),
    filter: "NUMBER",
    isSorted: true,
    isSummed: true,
    storage: inColumn(column, "numeric", null, {
      store: (sent) => (sent === null ? null : canonicalDecimal(sent as SentNumber)),
      // PostgreSQL gives back zeros at the end of a number, which are there when another program has written the
      // column.
      present: (stored) => (stored === null ? null : canonicalDecimal(stored as string)),
    }),
  };
}

/**
 * A whole number in a range. It takes a number, or a text of its digits, and is answered as the digits; null when
 * unset.
 */
export function wholeNumber(column: string, range: { min: number; max: number }): Field {
  return {
    read: nullable(Type.String()),
    write: Type.Unsafe<SentNumber | null>({
      type: ["string", "number", "null"],
      wholeNumber: range,
      example: "1999",
    }),
    filter: "NUMBER",
    isSorted: true,
    isGrouped: true,
    storage: inColumn(column, "numeric", null, {
      store: (sent) => (sent === null ? null : canonicalDecimal(sent as SentNumber)),
      present: (stored) => (stored === null ? null : String(stored)),
    }),
  };
}
