/** Runs one statement with $1 placeholders and gives its rows: on a connection of its own choice, or inside a transaction. */
export type Query = <Row>(sql: string, values: unknown[]) => Promise<Row[]>;

/**
 * A query for statements that change something. A function that needs one says by its type that it changes something, and
 * whoever gives it one can know afterwards whether anything was changed.
 */
export type Write = Query & { readonly changes: true };

/** A query as one for statements that change something. `note` is called before each of them. */
export function asWrite(query: Query, note?: () => void): Write {
  const write: Query = (sql, values) => {
    note?.();
    return query(sql, values);
  };
  return Object.assign(write, { changes: true as const });
}
