import { nullable, Type } from "../contract/schema.ts";
import { canonicalDecimal } from "../values/decimal.ts";
import type { SentNumber } from "../values/exact-number.ts";
import type { Field } from "./field.ts";

/** An exact decimal: a number or a numeric string goes in, its canonical string comes out, null when unset. */
export function decimal(column: string, { min, maxLength }: { min: number; maxLength: number }): Field {
  return {
    read: nullable(Type.String()),
    write: Type.Unsafe<SentNumber | null>({
      type: ["string", "number", "null"],
      decimal: { min, maxLength },
      example: "1500000",
    }),
    filter: "NUMBER",
    storage: {
      shape: "column",
      column,
      unset: null,
      store: (sent) => (sent === null ? null : canonicalDecimal(sent as SentNumber)),
      // PostgreSQL keeps the zeros after the point that it was given; sums and imports may have left some.
      present: (stored) => (stored === null ? null : canonicalDecimal(stored as string)),
    },
  };
}
