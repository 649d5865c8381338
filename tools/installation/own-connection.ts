import type pg from "pg";
import type { Env } from "../../config/env.ts";
import { endConnection } from "../../database/connection.ts";
import { openClient } from "../../database/open-client.ts";
import type { Query } from "../../database/query.ts";
import { formOptions } from "../../database/statement.ts";
import { withDatabase } from "./open-database.ts";

const CONNECT_MS = 5_000;

/**
 * Gives work a connection of its own, without the time limits of a server, because it may go through all records.
 * Statements that are sent together wait for each other.
 * @param name what PostgreSQL lists it as, behind the name of the server
 */
export async function withConnection<Result>(
  url: string,
  name: string,
  work: (query: Query, client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await openClient({
    connectionString: url,
    application_name: `contact-workspace ${name}`,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  });
  const query = oneAfterTheOther(async (sql, values, form) => {
    return (await client.query({ text: sql, values: [...values], ...formOptions(form) })).rows;
  });
  try {
    return await work(query, client);
  } finally {
    await endConnection(client);
  }
}

/**
 * Runs work in one transaction on a connection of its own. It is committed at the end, and undone when the work throws
 * or this process dies.
 * @param mode further words of BEGIN
 */
export function inTransaction<Result>(
  env: Env,
  mode: string,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  const committed = async (query: Query, client: pg.Client) => {
    await client.query(`begin ${mode}`);
    const result = await work(query);
    await client.query("commit");
    return result;
  };
  // Uncommitted work is undone with the connection.
  return withDatabase(env, (url) => withConnection(url, "command", committed));
}

/**
 * Reads everything as it is at one moment, whatever a server writes meanwhile.
 * docs/guides/export.md#while-the-server-writes
 */
export function inSnapshot<Result>(env: Env, work: (query: Query) => Promise<Result>): Promise<Result> {
  return inTransaction(env, "isolation level repeatable read, read only", work);
}

/** Statements that are sent together wait here for their turn, because the client takes one statement at a time. */
function oneAfterTheOther(send: (...statement: Parameters<Query>) => Promise<unknown[]>): Query {
  let last: Promise<unknown> = Promise.resolve();
  return <Row>(...statement: Parameters<Query>) => {
    const answered = last.then(() => send(...statement));
    last = answered.catch(() => undefined);
    return answered as Promise<Row[]>;
  };
}
