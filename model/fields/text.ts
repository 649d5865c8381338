import { plainText, Type } from "../../base/contract/schema.ts";
import { type Field, inColumn } from "./field.ts";

/** A text of up to `max` characters. Unset it is "", which also clears it. */
export function text(
  column: string,
  { max, example, searchPlace }: { max: number; example?: string; searchPlace?: number },
): Field {
  return {
    read: Type.String(),
    write: plainText(max, example === undefined ? {} : { example }),
    filter: "TEXT",
    searchPlace,
    storage: inColumn(column, "text", ""),
  };
}
