import { nullable, timestampSchema } from "../contract/schema.ts";
import type { Field } from "./field.ts";

/** An instant that the server sets, null until then. */
export function timestamp(column: string): Field {
  return {
    read: nullable(timestampSchema),
    write: null,
    filter: null,
    storage: {
      shape: "column",
      column,
      type: "timestamptz",
      unset: null,
      store: (sent) => sent,
      present: (stored) => (stored instanceof Date ? stored.toISOString() : null),
    },
  };
}
