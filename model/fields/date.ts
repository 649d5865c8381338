import { nullable, Type } from "../../base/contract/schema.ts";
import type { Field } from "./field.ts";

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
    storage: {
      shape: "column",
      column,
      type: "date",
      unset: null,
      store: (sent) => (sent === "" ? null : sent),
      present: (stored) => stored,
    },
  };
}
