import { nullable, Type, timestampSchema } from "../../base/contract/schema.ts";
import { madeAt, type Uuid } from "../../base/values/ids.ts";
import { instantOf } from "../../base/values/times.ts";
import { type ColumnStorage, composed, type Field, inColumn } from "./field.ts";

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
    isSorted: true,
    storage: inColumn(column, "date", null, { store: (sent) => (sent === "" ? null : sent) }),
  };
}

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

/** Time of the last change; at first the time of creation. docs/guides/tasks.md#fields */
export function updatedAt(): Field {
  return composed(timestampSchema, { uuid: "t.id", updatedAt: "t.updated_at" }, (row) =>
    (row.updatedAt instanceof Date ? row.updatedAt : madeAt(row.uuid as Uuid)).toISOString(),
  );
}
