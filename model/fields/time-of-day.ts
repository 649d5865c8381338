import { nullable, Type } from "../../base/contract/schema.ts";
import { type Field, inColumn } from "./field.ts";

/** A time on the clock, HH:mm, null when unset. Seconds that the column may hold are not shown. */
export function timeOfDay(column: string, { example }: { example: string }): Field {
  const schema = nullable(Type.String({ format: "time-of-day", example }));
  return {
    read: schema,
    write: schema,
    filter: null,
    storage: inColumn(column, "time", null, {
      store: (sent) => (sent === null ? null : `${sent}:00`),
      present: (stored) => (stored === null ? null : String(stored).slice(0, 5)),
    }),
  };
}
