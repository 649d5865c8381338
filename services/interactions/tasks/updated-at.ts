import { timestampSchema } from "../../../base/contract/schema.ts";
import { madeAt, type Uuid } from "../../../base/values/ids.ts";
import type { OtherColumns } from "../../../engine/rows/rows.ts";
import type { Field, Sent } from "../../../model/fields/field.ts";
import type { Resource, Row } from "../../../model/resources/resource.ts";

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

/** Whether an update leaves another row than it finds. `others` has the columns beside those of fields that change. */
export function changes({ columns }: Resource, current: Row, sent: Sent, others: OtherColumns): boolean {
  if (Object.keys(others).length > 0) return true;
  return columns.some(({ name, storage }) => Object.hasOwn(sent, name) && storage.store(sent[name]) !== current[name]);
}
