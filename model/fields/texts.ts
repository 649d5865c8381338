import { nullable, plainText, Type } from "../../base/contract/schema.ts";
import type { WordKind } from "../../base/values/search-words.ts";
import { type Field, inColumn } from "./field.ts";

/** A text of up to `max` characters. Unset it is "", which also clears it. */
export function text(
  column: string,
  { max, example, ...uses }: { max: number; example?: string; searchPlace?: number; isSorted?: true; words?: WordKind },
): Field {
  return {
    read: Type.String(),
    write: plainText(max, example === undefined ? {} : { example }),
    filter: "TEXT",
    ...uses,
    storage: inColumn(column, "text", ""),
  };
}

/** A text of up to `max` characters that is null when unset. */
export function nullableText(
  column: string,
  {
    max,
    example,
    ...uses
  }: {
    max: number;
    example?: string;
    searchPlace?: number;
    isSorted?: true;
    isGrouped?: true;
    words?: WordKind;
  },
): Field {
  return {
    read: nullable(Type.String()),
    write: nullable(plainText(max, example === undefined ? {} : { example })),
    filter: "TEXT",
    ...uses,
    storage: inColumn(column, "text", null),
  };
}

/**
 * A text of up to `max` characters, and of 1 unless told otherwise, that everything of its kind has, like the title of
 * a task.
 */
export function requiredText(
  column: string,
  {
    min = 1,
    max,
    example,
    untold = false,
    words,
  }: { min?: 0 | 1; max: number; example?: string; untold?: boolean; words?: WordKind },
): Field {
  return {
    read: Type.String(),
    write: plainText(max, { ...(min > 0 && { minLength: min }), ...(example !== undefined && { example }) }),
    required: true,
    filter: null,
    untold,
    words,
    storage: inColumn(column, "text", ""),
  };
}

/** A list of up to `maxItems` texts of `max` characters, in the order given. An update replaces it. */
export function textList(
  column: string,
  {
    maxItems,
    max,
    example,
    ...uses
  }: { maxItems: number; max: number; example?: string; searchPlace?: number; words?: WordKind },
): Field {
  return {
    read: Type.Array(Type.String()),
    write: Type.Array(plainText(max), { maxItems, ...(example !== undefined && { example: [example] }) }),
    filter: "TEXT",
    ...uses,
    storage: inColumn(column, "json", []),
  };
}
