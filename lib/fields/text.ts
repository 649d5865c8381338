import { plainText, Type } from "../contract/schema.ts";
import type { Field } from "./field.ts";

/** A text; unset is "", which also clears it. */
export function text(column: string, { max, example }: { max: number; example?: string }): Field {
  return {
    read: Type.String(),
    write: plainText(max, example === undefined ? {} : { example }),
    filter: "TEXT",
    storage: { shape: "column", column, unset: "", store: (sent) => sent, present: (stored) => stored },
  };
}
