import { nullable, Type, timestampSchema } from "../../base/contract/schema.ts";
import { instantOf } from "../../base/values/times.ts";
import { type ColumnStorage, type Field, inColumn } from "./field.ts";

/** An instant that the server sets, null until then. */
export function timestamp(column: string): Field {
  return {
    read: nullable(timestampSchema),
    write: null,
    filter: null,
    storage: storedAs(column, (sent) => sent),
  };
}

/** An instant that a create may bring along, and that only the server changes afterwards. Null until then. */
export function timestampAtFirst(column: string, { example }: { example: string }): Field {
  return {
    read: nullable(timestampSchema),
    write: nullable(Type.String({ format: "timestamp", example })),
    fixed: true,
    filter: null,
    storage: storedAs(column, (sent) => (sent === null ? null : new Date(instantOf(String(sent)) ?? Number.NaN))),
  };
}

function storedAs(column: string, store: ColumnStorage["store"]): ColumnStorage {
  return inColumn(column, "timestamptz", null, {
    store,
    present: (stored) => (stored instanceof Date ? stored.toISOString() : null),
  });
}
