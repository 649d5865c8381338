import { nullable, Type } from "../../base/contract/schema.ts";
import { type Field, inColumn } from "./field.ts";

/** A calendar date, null when unset. With `clearedBy: ""` an empty text clears it as null does. */
export function date(
  column: string,
  { clearedBy, example = "1990-02-28" }: { clearedBy?: ""; example?: string } = {},
): Field {
  const format = clearedBy === "" ? "date-or-empty" : "date";
  return {
    read: nullable(Type.String({ format: "date" })),
    write: nullable(Type.String({ format, example })),
    filter: "DATE",
    storage: inColumn(column, "date", null, { store: (sent) => (sent === "" ? null : sent) }),
  };
}
