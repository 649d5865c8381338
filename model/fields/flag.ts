import { Type } from "../../base/contract/schema.ts";
import { type Field, inColumn } from "./field.ts";

/** Whether something is so; `unset` when nothing is sent. */
export function flag(column: string, { unset }: { unset: boolean }): Field {
  return {
    read: Type.Boolean(),
    write: Type.Boolean({ default: unset }),
    update: Type.Boolean(),
    filter: null,
    storage: inColumn(column, "boolean", unset),
  };
}
