import { setTimeout as pause } from "node:timers/promises";
import knex, { type Knex } from "knex";
import pg from "pg";
import { POOL_SILENCE_MS, POOL_WAIT_MS, poolConnection, readerConnection } from "./database-connection.ts";
import { errorCode, isUnavailable } from "./database-errors.ts";
import { openReader, type Reader } from "./database-reader.ts";
import {
  isStaleStatement,
  renameStatement,
  STATEMENTS_PER_CONNECTION_MAX,
  statementName,
} from "./database-statement.ts";

export { isUnavailable, violatedConstraint } from "./database-errors.ts";

const POOL_MAX = 12;
/** So many connections of the pool stay open, from the start on: opening one takes longer than most requests. */
const POOL_KEPT = 2;
const POOL_IDLE_MS = 60_000;
const RETRIES_MAX = 3;
const RETRY_PAUSE_MS_MAX = 40;
/**
 * A server that runs a statement, or waits for a lock, notices only now and then that its client is gone; until then it keeps
 * what the client held, an Idempotency-Key among it, for as long as a statement may take.
 */
const WATCH_CLIENT = "set client_connection_check_interval = '500ms'";
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK = "40P01";

export interface TransactionOptions {
  isolationLevel?: "read committed" | "repeatable read" | "serializable";
  readOnly?: boolean;
  /** Further SQLSTATEs after which the work may run again from its beginning. */
  retryOn?: readonly string[];
  /** Statements without placeholders that run in the round trip of BEGIN; their rows are in `Transaction.opened`. */
  opening?: readonly string[];
}

/** A transaction at work, on the connection of the pool that it holds. */
export interface Transaction {
  /** The rows of each statement of `opening`, in their order. */
  opened: readonly unknown[][];
  /** Runs text without values, also several statements. */
  raw(sql: string): Promise<unknown>;
  /** Runs one statement. */
  send(statement: Statement): Promise<Answer>;
  /** Undoes everything so far and begins anew with statements like those of `opening`, whose rows it gives, in one round trip. */
  restart(statements: readonly string[]): Promise<unknown[][]>;
  /** Takes the last statement, which was sent and need not be waited for: COMMIT follows it at once, and fails with its error. */
  last(statement: Promise<unknown>): void;
}

export interface Database {
  /** The pool. */
  knex: Knex;
  /** Connections of the pool at most. */
  poolMax: number;
  /**
   * Runs one short autocommit statement ($1 placeholders), named and prepared, on a pipelined connection.
   * It may write, but a durable write belongs on the pool: commits on one connection cannot be grouped.
   */
  read<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * The same on a pipelined connection of its own, the same one for the same name: a statement waits for those before it,
   * so what must not wait for the records of one kind (keys, limits, the other kinds) has another connection.
   */
  lane(name: string): Pick<Database, "read">;
  /**
   * Runs one autocommit statement on a connection of the pool, planned for its very values: for filters, whose plan depends
   * on them, and which may take longer than the statements of `read` can wait behind.
   */
  ask<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * Runs work in one transaction and commits it. The work runs again, at most three times, after a serialization failure,
   * a deadlock or a code of `retryOn`, so it must have no effect outside the transaction.
   */
  transaction<T>(work: (trx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  close(): Promise<void>;
}

/** Opens the pool and the pipelined reader; rejects when the database does not answer. */
export async function openDatabase(
  url: string,
  options: { poolMax?: number; applicationName?: string } = {},
): Promise<Database> {
  const { applicationName = "contact-workspace", poolMax = POOL_MAX } = options;
  const pool = openPool(url, applicationName, poolMax);
  const reader = openReader(readerConnection(url, applicationName));
  const lanes = new Map<string, Reader>();

  function lane(name: string): Reader {
    let found = lanes.get(name);
    if (!found) {
      found = openReader(readerConnection(url, `${applicationName} ${name}`));
      lanes.set(name, found);
    }
    return found;
  }

  const database: Database = {
    knex: pool,
    poolMax,
    read: reader.read,
    lane,
    ask: async (sql, values = []) => (await pool.raw(sql.replaceAll("?", "\\?")).options({ text: sql, values })).rows,
    transaction: (work, transactionOptions) => transaction(pool, work, transactionOptions),
    close: async () => {
      await Promise.all([reader, ...lanes.values()].map((one) => one.close()).concat(pool.destroy()));
    },
  };
  try {
    await database.read("select 1");
    await openConnections(pool, Math.min(POOL_KEPT, poolMax));
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** Opens connections of the pool, which opens them one by one as they are needed. */
async function openConnections(pool: Knex, count: number): Promise<void> {
  const connections = await Promise.all(Array.from({ length: count }, () => pool.client.acquireConnection()));
  await Promise.all(connections.map((connection) => pool.client.releaseConnection(connection)));
}

/** A text as a literal of SQL, for statements without placeholders (`TransactionOptions.opening`). */
export const literal: (text: string) => string = pg.escapeLiteral;

/** Runs a $1-style statement inside a transaction as a named prepared statement. */
export async function run<Row>(trx: Transaction, sql: string, values: readonly unknown[] = []): Promise<Row[]> {
  const name = statementName(sql);
  try {
    return (await trx.send({ name, text: sql, values })).rows as Row[];
  } catch (error) {
    // The transaction is lost with it; `transaction` runs the work again, under the new name.
    if (isStaleStatement(error)) renameStatement(sql, name);
    throw error;
  }
}

async function transaction<T>(
  pool: Knex,
  work: (trx: Transaction) => Promise<T>,
  { retryOn = [], ...settings }: TransactionOptions = {},
): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt(pool, work, settings);
    } catch (error) {
      if (retries === RETRIES_MAX || !isWorthRetrying(error, retryOn)) throw error;
      // Two that met in a deadlock must not meet again.
      await pause(Math.random() * RETRY_PAUSE_MS_MAX);
    }
  }
}

/**
 * Statements go straight to pg: a transaction of seven of them costs 450 us of CPU, against 900 through Knex, which makes a
 * client of its own for every transaction and reads every text anew.
 */
async function attempt<T>(
  pool: Knex,
  work: (trx: Transaction) => Promise<T>,
  settings: TransactionOptions,
): Promise<T> {
  const begun = beginStatement(settings);
  const { connection, opened } = await begin(pool, [begun, ...(settings.opening ?? [])]);
  let over = false;
  const send = async (statement: Statement): Promise<Answer> => {
    if (over) throw new Error("The transaction is over already");
    return query(connection, statement);
  };
  try {
    let last: Promise<unknown> | undefined;
    const result = await work({
      opened,
      send,
      raw: (text) => send({ text }),
      restart: async (statements) => {
        const text = ["ROLLBACK", begun, ...statements].join("; ");
        const [, , ...answers] = [await send({ text })].flat();
        return answers.map(({ rows }) => rows);
      },
      last: (statement) => {
        last = statement;
      },
    });
    const committed = send({ text: "COMMIT" });
    // Of the two errors the first tells why.
    committed.catch(() => undefined);
    await last;
    await committed;
    return result;
  } catch (error) {
    // A connection that may still be inside the transaction must not serve another.
    await send({ text: "ROLLBACK" }).catch((failure: unknown) => {
      connection.__knex__disposed = failure;
    });
    throw error;
  } finally {
    over = true;
    await pool.client.releaseConnection(connection);
  }
}

/**
 * A connection that has begun a transaction. One that died while it was idle may be found out only now, when nothing has
 * been done on it yet: then the next one.
 */
async function begin(
  pool: Knex,
  statements: readonly string[],
): Promise<{ connection: PoolConnection; opened: unknown[][] }> {
  const text = statements.join("; ");
  const deadline = Date.now() + POOL_WAIT_MS;
  for (;;) {
    const connection: PoolConnection = await pool.client.acquireConnection();
    try {
      // pg gives a list where a text has several statements.
      const [, ...answers] = [await query(connection, { text })].flat();
      return { connection, opened: answers.map(({ rows }) => rows) };
    } catch (error) {
      connection.__knex__disposed = error;
      await pool.client.releaseConnection(connection);
      if (!isUnavailable(error) || Date.now() > deadline) throw error;
    }
  }
}

function beginStatement({ isolationLevel, readOnly }: TransactionOptions): string {
  return `BEGIN${isolationLevel ? ` ISOLATION LEVEL ${isolationLevel}` : ""}${readOnly ? " READ ONLY" : ""}`;
}

function query(connection: PoolConnection, statement: Statement): Promise<Answer> {
  return new Promise((resolve, reject) => {
    connection.query(statement, (error, answer) => (answer && !error ? resolve(answer) : reject(error)));
  });
}

function isWorthRetrying(error: unknown, retryOn: readonly string[]): boolean {
  const code = errorCode(error);
  if (code === SERIALIZATION_FAILURE || code === DEADLOCK || isStaleStatement(error)) return true;
  return code !== undefined && retryOn.includes(code);
}

function openPool(url: string, applicationName: string, max: number): Knex {
  return knex({
    client: "pg",
    // An error that quotes the statement with its values would put personal data into logs.
    compileSqlOnError: false,
    connection: poolConnection(url, applicationName),
    acquireConnectionTimeout: POOL_WAIT_MS,
    pool: { min: Math.min(POOL_KEPT, max), max, idleTimeoutMillis: POOL_IDLE_MS, afterCreate: watchConnection },
    // Knex prints a warning whenever no connection can be had; the error it throws says the same to those who can act.
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
  });
}

interface Statement {
  name?: string;
  text?: string;
  values?: readonly unknown[];
}

interface Answer {
  command: string;
  rows: unknown[];
}

interface PoolConnection {
  query(config: Statement, answer: (error: unknown, result?: Answer) => void): unknown;
  end(): Promise<void>;
  /** Knex takes a connection with this mark out of the pool. */
  __knex__disposed?: unknown;
}

/**
 * Four watches over each connection of the pool: the server looks whether we are still there; it ends when the server has
 * fallen silent, which TCP alone notices after a quarter of an hour; it is replaced when it holds too many statements; and a
 * commit that was none is an error.
 */
function watchConnection(connection: PoolConnection, done: (error: unknown, connection: PoolConnection) => void): void {
  const query = connection.query.bind(connection);
  const prepared = new Set<string>();
  connection.query = (config, answer) => {
    if (config.name) prepared.add(config.name);
    if (prepared.size > STATEMENTS_PER_CONNECTION_MAX) connection.__knex__disposed = "too many prepared statements";
    const silence = setTimeout(() => void connection.end(), POOL_SILENCE_MS);
    return query(config, (error, result) => {
      clearTimeout(silence);
      answer(error ?? lostCommit(config.text, result?.command), result);
    });
  };
  // Where the server's system cannot look (Windows) it refuses the setting, and all else is as it was.
  query({ text: WATCH_CLIENT }, () => done(null, connection));
}

/** PostgreSQL answers COMMIT of a failed transaction with a rollback and no error: a swallowed error would lose acknowledged work. */
function lostCommit(text: string | undefined, command: string | undefined): Error | null {
  if (command !== "ROLLBACK" || !text?.startsWith("COMMIT")) return null;
  return new Error(
    "A statement of this transaction failed, its error was swallowed, and PostgreSQL rolled everything back.",
  );
}
