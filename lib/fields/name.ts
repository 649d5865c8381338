import { nameKey } from "../records/company-names.ts";
import type { Field } from "../resource.ts";
import { Type, trimmedName } from "../schema.ts";

interface Options {
  max: number;
  /** The limit of an update, where it is another. */
  updateMax?: number;
  /** The column of the key that keeps names unique in the workspace. */
  uniqueBy?: string;
}

/** The name of a company or an object: required, trimmed before its limits count. */
export function name(column: string, { max, updateMax = max, uniqueBy }: Options): Field {
  const unique =
    uniqueBy === undefined ? {} : { unique: { column: uniqueBy, key: (stored: unknown) => nameKey(String(stored)) } };
  return {
    read: Type.String(),
    write: trimmedName(max),
    update: trimmedName(updateMax),
    required: true,
    filter: "TEXT",
    storage: {
      shape: "column",
      column,
      unset: "",
      ...unique,
      store: (sent) => String(sent).trim(),
      present: (stored) => stored,
    },
  };
}
