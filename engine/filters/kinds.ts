import type { FilterKind } from "../../model/fields/field.ts";

/** Question about a value. `not_x` is always the exact opposite of `x`. docs/guides/filters.md#operators */
export type PositiveOperator = "eq" | "like" | "gt" | "lt" | "in" | "all" | "empty";

const POSITIVE = ["eq", "like", "gt", "lt", "in", "all", "empty"] as const;

/** Kind of field → its operators. docs/guides/filters.md#operators */
export const OPERATORS: Record<FilterKind, readonly string[]> = {
  TEXT: ["eq", "not_eq", "like", "not_like", "empty", "not_empty"],
  DATE: ["eq", "not_eq", "gt", "lt", "empty", "not_empty"],
  DAY: ["eq", "not_eq", "gt", "lt", "empty", "not_empty"],
  NUMBER: ["eq", "not_eq", "gt", "lt", "empty", "not_empty"],
  MULTIREF: ["all", "in", "not_in", "empty", "not_empty"],
  SELECT: ["in", "not_in", "empty", "not_empty"],
  CREATOR: ["in", "not_in", "empty", "not_empty"],
  TIME: ["gt", "lt", "empty", "not_empty"],
  CHOICE: ["eq", "not_eq", "in", "not_in", "empty", "not_empty"],
};

/**
 * Operators that take several values; the others take one, `empty` and `not_empty` none.
 * docs/guides/filters.md#conditions
 */
export const TAKES_MANY: readonly string[] = ["all", "in", "not_in"];

/** An operator as its positive form, and whether it is negated; undefined for an unknown operator. */
export function split(operator: string): { positive: PositiveOperator; negated: boolean } | undefined {
  const negated = operator.startsWith("not_");
  const name = negated ? operator.slice(4) : operator;
  const positive = POSITIVE.find((one) => one === name);
  return positive && { positive, negated };
}
