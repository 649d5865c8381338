import { nullable, oneOf, Type } from "../../base/contract/schema.ts";
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
    isGrouped: true,
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

/**
 * Whether all see a reminder, or its assignees and its creator alone. Tasks call the same `isPublic`.
 * docs/guides/tasks.md#tasks-and-reminders
 */
export function visibility(): Field {
  const schema = oneOf(["public", "private"]);
  return {
    read: schema,
    write: schema,
    required: true,
    filter: null,
    storage: inColumn("is_public", "boolean", false, {
      store: (sent) => sent === "public",
      present: (stored) => (stored === true ? "public" : "private"),
    }),
  };
}
