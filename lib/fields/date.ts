import type { Field } from "../resource.ts";
import { nullable, Type } from "../schema.ts";

/** A calendar date, null when unset; `clearedBy: ""` takes an empty text for null. */
export function date(column: string, { clearedBy }: { clearedBy?: "" } = {}): Field {
  const format = clearedBy === "" ? "date-or-empty" : "date";
  return {
    read: nullable(Type.String({ format: "date" })),
    write: nullable(Type.String({ format, example: "1990-02-28" })),
    filter: "DATE",
    storage: {
      shape: "column",
      column,
      unset: null,
      store: (sent) => (sent === "" ? null : sent),
      present: (stored) => stored,
    },
  };
}
