/** Runs one statement: on the reader of lib/database/database.ts, or inside a transaction. */
export type Query = <Row>(sql: string, values: unknown[]) => Promise<Row[]>;

/**
 * The same for statements that change something. A function that takes it says so in its type, and whoever hands it out can
 * tell afterwards whether anything was changed.
 */
export type Write = Query & { readonly changes: true };

/** A query as one for statements that change something; `note` is told before each of them. */
export function writing(query: Query, note?: () => void): Write {
  const write: Query = (sql, values) => {
    note?.();
    return query(sql, values);
  };
  return Object.assign(write, { changes: true as const });
}
