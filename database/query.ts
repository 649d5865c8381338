/**
 * Form of rows: objects of values by the names of their columns, or texts. Texts cost half as much, and are for rows of
 * which most is passed on as it is.
 */
export type RowForm = "objects" | "texts";

/** A row as PostgreSQL sends it: a text for each column, in their order; null for null. */
export type TextRow = (string | null)[];

/**
 * Runs one statement with $1 placeholders and gives its rows, as objects unless told otherwise: on a connection of its
 * own choice, or inside a transaction.
 */
export type Query = <Row>(sql: string, values: readonly unknown[], form?: RowForm) => Promise<Row[]>;

/**
 * A query for statements that change something. A function that needs one says by its type that it changes something,
 * and its caller can find out afterwards whether it has.
 */
export type Write = Query & { readonly changes: true };

/** A query as one for statements that change something. `note` is called before each of them. */
export function asWrite(query: Query, note?: () => void): Write {
  const write: Query = (sql, values, form) => {
    note?.();
    return query(sql, values, form);
  };
  return Object.assign(write, { changes: true as const });
}
