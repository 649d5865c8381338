import { plainText, Type } from "../../base/contract/schema.ts";
import { type Field, inColumn } from "./field.ts";

/** A list of up to `maxItems` texts of `max` characters, in the order given. An update replaces it. */
export function textList(
  column: string,
  { maxItems, max, example, searchPlace }: { maxItems: number; max: number; example?: string; searchPlace?: number },
): Field {
  return {
    read: Type.Array(Type.String()),
    write: Type.Array(plainText(max), { maxItems, ...(example !== undefined && { example: [example] }) }),
    filter: "TEXT",
    searchPlace,
    storage: inColumn(column, "json", []),
  };
}
