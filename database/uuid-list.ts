import type { Uuid } from "../base/values/ids.ts";

// An array of uuids as PostgreSQL writes it. A uuid needs no quotes, so these lines spare what pg does for arrays of
// any text.

/** The uuids of a text like `{…,…}`, in their order. */
export function parseUuids(text: string): Uuid[] {
  return text === "{}" ? [] : (text.slice(1, -1).split(",") as Uuid[]);
}

/** The text of a list of uuids. Also for the value of a placeholder. */
export function printUuids(uuids: Iterable<Uuid>): string {
  return `{${[...uuids].join(",")}}`;
}
