import knex, { type Knex } from "knex";
import { POOL_SILENCE_MS, POOL_WAIT_MS, poolConnection } from "./connection.ts";
import { STATEMENTS_PER_CONNECTION_MAX } from "./statement.ts";

const POOL_IDLE_MS = 60_000;
/**
 * A server that runs a statement, or waits for a lock, notices only now and then that its client is gone; until then it keeps
 * what the client held, an Idempotency-Key among it, for as long as a statement may take.
 */
const WATCH_CLIENT = "set client_connection_check_interval = '500ms'";

export interface Statement {
  name?: string;
  text?: string;
  values?: readonly unknown[];
}

export interface Answer {
  command: string;
  rows: unknown[];
}

/** A connection of the pool, of which knex knows more. */
export interface PoolConnection {
  query(config: Statement, answer: (error: unknown, result?: Answer) => void): unknown;
  end(): Promise<void>;
  /** Knex takes a connection with this mark out of the pool. */
  __knex__disposed?: unknown;
}

interface PoolOptions {
  applicationName: string;
  max: number;
  /** So many connections stay open, from the start on: opening one takes longer than most requests. */
  kept: number;
  /** Statements that a new connection begins with. */
  settings?: string;
}

/** A pool, and a way to open the connections that stay open; knex itself opens them one by one as they are needed. */
export interface Pool {
  knex: Knex;
  warmUp(): Promise<void>;
}

/** The pool: knex, and the watches over its connections. */
export function openPool(url: string, { applicationName, max, kept, settings }: PoolOptions): Pool {
  const pool = knex({
    client: "pg",
    // An error that quotes the statement with its values would put personal data into logs.
    compileSqlOnError: false,
    connection: poolConnection(url, applicationName),
    acquireConnectionTimeout: POOL_WAIT_MS,
    pool: {
      min: kept,
      max,
      idleTimeoutMillis: POOL_IDLE_MS,
      afterCreate: (connection: PoolConnection, done: Done) => watchConnection(connection, settings, done),
    },
    // Knex prints a warning whenever no connection can be had; the error it throws says the same to those who can act.
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
  });
  return {
    knex: pool,
    async warmUp() {
      const connections = await Promise.all(Array.from({ length: kept }, () => pool.client.acquireConnection()));
      await Promise.all(connections.map((connection) => pool.client.releaseConnection(connection)));
    },
  };
}

type Done = (error: unknown, connection: PoolConnection) => void;

/**
 * Four watches over each connection of the pool: the server looks whether we are still there; it ends when the server has
 * fallen silent, which TCP alone notices after a quarter of an hour; it is replaced when it holds too many statements; and a
 * commit that was none is an error.
 */
function watchConnection(connection: PoolConnection, settings: string | undefined, done: Done): void {
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
  // If the server rejects a setting, go on without it. On Windows PostgreSQL rejects WATCH_CLIENT.
  if (settings !== undefined) query({ text: settings }, () => undefined);
  query({ text: WATCH_CLIENT }, () => done(null, connection));
}

/**
 * PostgreSQL answers COMMIT of a failed transaction with a rollback and no error. If the error of its statement was swallowed,
 * work would be acknowledged that is lost.
 */
function lostCommit(text: string | undefined, command: string | undefined): Error | null {
  if (command !== "ROLLBACK" || !text?.startsWith("COMMIT")) return null;
  return new Error(
    "A statement of this transaction failed, its error was swallowed, and PostgreSQL rolled everything back.",
  );
}
