import { plainText, Type } from "../../base/contract/schema.ts";
import { type Field, inColumn } from "./field.ts";

/** A text of up to `max` characters, and of 1 unless told otherwise, that everything of its kind has, like the title of a task. */
export function requiredText(
  column: string,
  { min = 1, max, example, untold = false }: { min?: 0 | 1; max: number; example?: string; untold?: boolean },
): Field {
  return {
    read: Type.String(),
    write: plainText(max, { ...(min > 0 && { minLength: min }), ...(example !== undefined && { example }) }),
    required: true,
    filter: null,
    untold,
    storage: inColumn(column, "text", ""),
  };
}
