import { customFieldTypes } from "../../model/custom-fields/index.ts";
import { companies } from "../../model/resources/companies.ts";
import { objects } from "../../model/resources/objects.ts";
import { people } from "../../model/resources/people.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Column } from "./columns.ts";
import type { ImportKind } from "./headings.ts";
import type { ImportField } from "./new-fields.ts";

export const RESOURCES: Record<ImportKind, RecordType> = { people, companies, objects };

/** True if a column holds dates of a native or a custom field. */
export function holdsDates(kind: ImportKind, column: Column, field: ImportField | undefined): boolean {
  return storedAs(kind, column, field) === "date";
}

/** Whether a column holds numbers, in the same way. */
export function holdsNumbers(kind: ImportKind, column: Column, field: ImportField | undefined): boolean {
  return storedAs(kind, column, field) === "numeric";
}

/**
 * The type of PostgreSQL in which the values of a column are compared; undefined for custom values without an order.
 */
function storedAs(kind: ImportKind, { target }: Column, field: ImportField | undefined): string | undefined {
  if (target.to === "custom") return field && customFieldTypes[field.type].ordered?.cast;
  const storage = target.to === "field" ? RESOURCES[kind].fields[target.name]?.storage : undefined;
  return storage?.shape === "column" ? storage.type : undefined;
}
