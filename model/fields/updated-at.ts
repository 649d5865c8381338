import { timestampSchema } from "../../base/contract/schema.ts";
import { madeAt, type Uuid } from "../../base/values/ids.ts";
import { composed, type Field } from "./field.ts";

/** When somebody changed it last; at first, when it was made. docs/guides/tasks.md#fields */
export function updatedAt(): Field {
  return composed(timestampSchema, { uuid: "t.id", updatedAt: "t.updated_at" }, (row) =>
    (row.updatedAt instanceof Date ? row.updatedAt : madeAt(row.uuid as Uuid)).toISOString(),
  );
}
