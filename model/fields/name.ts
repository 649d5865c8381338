import { createHash } from "node:crypto";
import { plainText, Type, trimmedName } from "../../base/contract/schema.ts";
import type { WordKind } from "../../base/values/search-words.ts";
import { comparable } from "../../base/values/text.ts";
import type { ColumnStorage, Field } from "./field.ts";

/**
 * The key by which names of companies are unique: SHA-256 of the trimmed name in NFC, in PostgreSQL's notation of
 * bytea. Names with the same key are the same name. docs/guides/companies.md#unique-names
 */
export function nameKey(name: string): string {
  return `\\x${createHash("sha256").update(comparable(name.trim())).digest("hex")}`;
}

interface Options {
  max: number;
  /** The limit of an update, where it is another. */
  updateMax?: number;
  /** Whether white space around it is taken off before the limits count, as of companies. docs/guides/values.md#text */
  trimmed?: boolean;
  /** The column of the key that keeps names unique in the workspace. */
  uniqueBy?: string;
  example?: string;
  searchPlace?: number;
  words?: WordKind;
}

/** A text that is required and never empty, like the name of a company or an object. */
export function name(
  column: string,
  { max, updateMax = max, trimmed = false, uniqueBy, example, searchPlace, words }: Options,
): Field {
  const schema = trimmed ? trimmedName : nonEmptyText;
  const options = example === undefined ? {} : { example };
  const unique: Pick<ColumnStorage, "unique"> =
    uniqueBy === undefined
      ? {}
      : { unique: { column: uniqueBy, type: "bytea", key: (stored: unknown) => nameKey(String(stored)) } };
  return {
    read: Type.String(),
    write: schema(max, options),
    update: schema(updateMax, options),
    required: true,
    filter: "TEXT",
    searchPlace,
    words,
    isSorted: true,
    storage: {
      shape: "column",
      column,
      type: "text",
      unset: "",
      ...unique,
      store: (sent) => (trimmed ? String(sent).trim() : sent),
      present: (stored) => stored,
    },
  };
}

function nonEmptyText(max: number, options: { example?: string }) {
  return plainText(max, { minLength: 1, ...options });
}
