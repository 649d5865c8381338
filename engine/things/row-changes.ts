import type { RequestBody } from "../../model/fields/field.ts";
import type { Resource, Row } from "../../model/resources/resource.ts";
import type { OtherColumns } from "../rows/rows.ts";

/** True if an update changes the row. `others` has the columns beside those of the changed fields. */
export function changes({ columns }: Resource, current: Row, sent: RequestBody, others: OtherColumns): boolean {
  if (Object.keys(others).length > 0) return true;
  return columns.some(({ name, storage }) => Object.hasOwn(sent, name) && storage.store(sent[name]) !== current[name]);
}
