import { nullable, plainText, Type } from "../../base/contract/schema.ts";
import { type Field, inColumn } from "./field.ts";

/** A text of up to `max` characters that is null when unset. */
export function nullableText(
  column: string,
  { max, example, searchPlace }: { max: number; example?: string; searchPlace?: number },
): Field {
  return {
    read: nullable(Type.String()),
    write: nullable(plainText(max, example === undefined ? {} : { example })),
    filter: "TEXT",
    searchPlace,
    storage: inColumn(column, "text", null),
  };
}
