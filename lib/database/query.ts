/** Runs one statement: on the reader of lib/database/database.ts, or inside a transaction. */
export type Query = <Row>(sql: string, values: unknown[]) => Promise<Row[]>;
