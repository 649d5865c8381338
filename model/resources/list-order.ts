import type { Binder } from "../../database/binder.ts";
import type { SqlType } from "../fields/field.ts";
import type { Row } from "./resource.ts";

/**
 * The order of a list. A page begins behind a position, which is made of the values that the last row of the page
 * before has in the columns of the order. So rows that are changed, added or deleted between two pages cause no skip
 * and no repeat.
 * docs/guides/lists.md#lists
 */
export interface ListOrder {
  /** Columns of the row `t`, and the names of their values in a row. The last one tells any two rows apart. */
  by: readonly { name: string; column: string; type: SqlType }[];
  direction: "asc" | "desc";
}

const ID = { name: "uuid", column: "id", type: "uuid" } as const;

/** In the order of creation, which is the order of ids. */
export const BY_CREATION: ListOrder = { by: [ID], direction: "asc" };

/** SQL that puts rows in this order. The workspace leads, as it does in the index that gives them so. */
export function orderBy({ by, direction }: ListOrder): string {
  const columns = ["workspace_id", ...by.map(({ column }) => column)];
  return `order by ${columns.map((column) => `t.${column}${direction === "desc" ? " desc" : ""}`).join(", ")}`;
}

/**
 * SQL that is true for the rows behind a position. It comes out of a sealed cursor, so it has the form that
 * `positionOf` made.
 */
export function behind({ by, direction }: ListOrder, position: string, bind: Binder): string {
  const values = position.split(" ");
  const columns = by.map(({ column }) => `t.${column}`);
  const bound = by.map(({ type }, i) => bind(values[i], type));
  return `(${columns.join(", ")}) ${direction === "desc" ? "<" : ">"} (${bound.join(", ")})`;
}

/** The position of a row in this order: a text without the row's own secrets, that a cursor can hold. */
export function positionOf({ by }: ListOrder, row: Row): string {
  return by
    .map(({ name }) => row[name])
    .map((value) => (value instanceof Date ? value.toISOString() : String(value)))
    .join(" ");
}
