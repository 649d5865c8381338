import { plainText, Type } from "../contract/schema.ts";
import type { Field } from "./field.ts";

/** A list of texts in the order given; an update replaces it. */
export function textList(
  column: string,
  { maxItems, max, example }: { maxItems: number; max: number; example?: string },
): Field {
  return {
    read: Type.Array(Type.String()),
    write: Type.Array(plainText(max), { maxItems, ...(example !== undefined && { example: [example] }) }),
    filter: "TEXT",
    storage: { shape: "column", column, unset: [], store: (sent) => sent, present: (stored) => stored },
  };
}
