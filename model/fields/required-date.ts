import { Type } from "../../base/contract/schema.ts";
import { type Field, inColumn } from "./field.ts";

/** A calendar date that everything of its kind has. */
export function requiredDate(column: string, { example }: { example: string }): Field {
  const schema = Type.String({ format: "date", example });
  return {
    read: schema,
    write: schema,
    required: true,
    filter: null,
    storage: inColumn(column, "date", null),
  };
}
