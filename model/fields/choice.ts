import { nullable, oneOf } from "../../base/contract/schema.ts";
import { type Field, type FilterKind, inColumn } from "./field.ts";

/** One of a few words. Null clears it, which leaves `unset`: a word, or null. */
export function choice(
  column: string,
  values: readonly string[],
  { unset, filter, searchPlace }: { unset: string | null; filter: FilterKind | null; searchPlace?: number },
): Field {
  const schema = oneOf(values);
  return {
    read: unset === null ? nullable(schema) : schema,
    write: nullable(schema),
    filter,
    options: values,
    searchPlace,
    storage: inColumn(column, "text", unset, { store: (sent) => sent ?? unset }),
  };
}

/** One of a few words that everything of its kind has. */
export function requiredChoice(column: string, values: readonly string[]): Field {
  const schema = oneOf(values);
  return {
    read: schema,
    write: schema,
    required: true,
    filter: null,
    options: values,
    storage: inColumn(column, "text", ""),
  };
}
