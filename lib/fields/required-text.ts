import { plainText, Type } from "../contract/schema.ts";
import type { Field } from "./field.ts";

/** A text of 1 to `max` characters that everything of its kind has, like the content of a note. */
export function requiredText(column: string, { max, example }: { max: number; example?: string }): Field {
  return {
    read: Type.String(),
    write: plainText(max, { minLength: 1, ...(example !== undefined && { example }) }),
    required: true,
    filter: null,
    storage: { shape: "column", column, type: "text", unset: "", store: (sent) => sent, present: (stored) => stored },
  };
}
