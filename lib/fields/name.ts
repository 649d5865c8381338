import { plainText, Type, trimmedName } from "../contract/schema.ts";
import type { Field } from "./field.ts";
import { nameKey } from "./name-key.ts";

interface Options {
  max: number;
  /** The limit of an update, where it is another. */
  updateMax?: number;
  /** Whether white space around it is taken off before the limits count, as of companies. docs/guides/conventions.md#text */
  trimmed?: boolean;
  /** The column of the key that keeps names unique in the workspace. */
  uniqueBy?: string;
  searchPlace?: number;
}

/** The name of a company or an object: required and never empty. */
export function name(column: string, { max, updateMax = max, trimmed = false, uniqueBy, searchPlace }: Options): Field {
  const schema = trimmed ? trimmedName : nonEmptyText;
  const unique =
    uniqueBy === undefined ? {} : { unique: { column: uniqueBy, key: (stored: unknown) => nameKey(String(stored)) } };
  return {
    read: Type.String(),
    write: schema(max),
    update: schema(updateMax),
    required: true,
    filter: "TEXT",
    searchPlace,
    storage: {
      shape: "column",
      column,
      unset: "",
      ...unique,
      store: (sent) => (trimmed ? String(sent).trim() : sent),
      present: (stored) => stored,
    },
  };
}

function nonEmptyText(max: number) {
  return plainText(max, { minLength: 1 });
}
