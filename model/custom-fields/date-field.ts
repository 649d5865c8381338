import { Type } from "../../base/contract/schema.ts";
import { readDate } from "../../base/values/written-date.ts";
import { scalar } from "./scalar.ts";
import type { CustomFieldType } from "./type.ts";

/**
 * True if a cell makes its column one of dates. Versions like 1.2.30 and other numbers do not: the year has four
 * digits, or there are slashes.
 */
function looksLikeDate(text: string): boolean {
  const date = readDate(text);
  return date === "empty" || (typeof date === "object" && date !== null && /\d{4}|\//.test(text));
}

export const dateField: CustomFieldType = {
  ...scalar,
  name: "dateField",
  value: Type.String({ format: "date" }),
  filter: "DATE",
  sortedBy: "date_value",
  ordered: { column: "date_value", cast: "date" },
  indexedAs: (stored: string) => [{ date_value: stored }],
  guessedBy: { fits: looksLikeDate },
};
