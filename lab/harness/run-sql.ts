import pg from "pg";

/** Runs a statement on a connection of its own; gives its rows. */
export async function runSql(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  // A server that ends while nothing runs tells so; the statement fails by itself.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}
