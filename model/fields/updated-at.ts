import { timestampSchema } from "../../base/contract/schema.ts";
import { madeAt, type Uuid } from "../../base/values/ids.ts";
import type { Field } from "./field.ts";

/** When somebody changed it last; at first, when it was made. docs/guides/tasks.md#fields */
export function updatedAt(): Field {
  return {
    read: timestampSchema,
    write: null,
    filter: null,
    storage: {
      shape: "composed",
      reads: { uuid: "t.id", updatedAt: "t.updated_at" },
      present: (row) => (row.updatedAt instanceof Date ? row.updatedAt : madeAt(row.uuid as Uuid)).toISOString(),
    },
  };
}
