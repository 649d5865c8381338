import { Type } from "../../base/contract/schema.ts";
import { DAY_MS, isDate } from "../../base/values/dates.ts";
import { firstUuidOf } from "../../base/values/ids.ts";
import { instantOfTimeOrDate } from "../../base/values/times.ts";
import type { Binder } from "../../database/binder.ts";
import { type Checked, checkFilter, type Filterable } from "./check.ts";
import { type Combinator, type Condition, combinatorSchema, conditionSchema } from "./condition.ts";
import type { PositiveOperator } from "./kinds.ts";

/** A field by which the list of a plain resource is filtered. Its name is its key in the table of them. */
export interface RowFilter extends Omit<Filterable, "name" | "by"> {
  operators: readonly string[];
  /** SQL over the row `t` that asks one of the positive operators. It may be null for a row without a value. */
  sql(operator: PositiveOperator, values: string[], bind: Binder): string;
}

/** The filters of a plain resource: name of a field → how it is asked. */
export type RowFilters = Record<string, RowFilter>;

/**
 * SQL over the row `t` for conditions on a plain resource, which is given once its statement is put together.
 * docs/guides/filters.md#conditions
 * @throws ApiError 422 with all issues
 */
export function rowConditions(
  filters: RowFilters,
  conditions: Condition[],
  combinator: Combinator = "and",
): (bind: Binder) => string[] {
  const find = (name: string) =>
    Object.hasOwn(filters, name) ? { by: "value" as const, name, ...(filters[name] as RowFilter) } : undefined;
  const checked = checkFilter(find, conditions, () => `There are: ${Object.keys(filters).join(", ")}`);
  return (bind) => {
    const parts = checked.map((condition) => conditionOf(condition, bind));
    return combinator === "or" && parts.length > 0 ? [`(${parts.join(" or ")})`] : parts;
  };
}

/** Filters of a list for the OpenAPI document. */
export type FilteredFields = Record<string, Pick<RowFilter, "kind" | "operators"> & { options?: readonly string[] }>;

/** The params of a list with these filters, which the OpenAPI document describes. */
export function rowFilterParams(filters: RowFilters) {
  const filteredFields: FilteredFields = Object.fromEntries(
    Object.entries(filters).map(([name, { kind, operators, options }]) => [
      name,
      { kind, operators, ...(options && { options }) },
    ]),
  );
  return {
    combinator: Type.Optional(combinatorSchema),
    filter: Type.Optional(Type.Array(conditionSchema, { filteredFields })),
  };
}

/** A row without a value meets every negative operator and no positive one. docs/guides/filters.md#missing-values */
function conditionOf({ field, positive, negated, values }: Checked<RowFilter & Filterable>, bind: Binder): string {
  const asked = field.sql(positive, values, bind);
  return negated ? `(${asked}) is not true` : `(${asked})`;
}

/** A date in a column. */
export function dateFilter(column: string, operators: readonly string[]): RowFilter {
  return {
    kind: "DATE",
    operators,
    sql: (operator, [value], bind) => compared(`t.${column}`, operator, bind(value, "date")),
  };
}

/** One of a few words in a column. */
export function choiceFilter(column: string, options: readonly string[]): RowFilter {
  return {
    kind: "CHOICE",
    operators: ["eq", "not_eq", "in", "not_in"],
    options,
    sql: (_, values, bind) => `t.${column} = any(${bind(values, "text[]")})`,
  };
}

/** An instant in a column. A date stands for its start, and what is later than a date is after that day. */
export function timeFilter(column: string, operators: readonly string[]): RowFilter {
  return {
    kind: "TIME",
    operators,
    sql(operator, [value = ""], bind) {
      if (operator === "empty") return `t.${column} is null`;
      const bound = new Date(boundOf(operator, value));
      return operator === "gt"
        ? `t.${column} >= ${bind(bound, "timestamptz")}`
        : `t.${column} < ${bind(bound, "timestamptz")}`;
    },
  };
}

/** Time of creation of a row, which its id contains. */
export const createdAtFilter: RowFilter = {
  kind: "TIME",
  operators: ["gt", "lt"],
  sql: (operator, [value = ""], bind) =>
    `t.id ${operator === "gt" ? ">=" : "<"} ${bind(firstUuidOf(boundOf(operator, value)), "uuid")}`,
};

/**
 * The first millisecond that is later than a time, or for `lt` the time itself.
 * docs/guides/values.md#dates-times-and-time-zones
 */
function boundOf(operator: PositiveOperator, value: string): number {
  const ms = instantOfTimeOrDate(value) ?? 0;
  if (operator === "lt") return ms;
  return ms + (isDate(value) ? DAY_MS : 1);
}

function compared(column: string, operator: PositiveOperator, value: string): string {
  const signs: Partial<Record<PositiveOperator, string>> = { eq: "=", gt: ">", lt: "<" };
  return operator === "empty" ? `${column} is null` : `${column} ${signs[operator]} ${value}`;
}
