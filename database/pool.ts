import type { Knex } from "knex";
import { createCheck } from "./check.ts";
import { endConnection, type PoolConnection, poolConnection, query, type Statement, type Waits } from "./connection.ts";
import { errorCode } from "./errors.ts";
import { acquire, countsOf, discard, openKnex, release } from "./knex-connections.ts";
import { createLiveness } from "./liveness.ts";
import type { RowForm } from "./query.ts";
import type { SessionSettings } from "./session.ts";
import { SQLSTATE } from "./sqlstates.ts";
import { formOptions, STATEMENTS_PER_CONNECTION_MAX, sendNamedOrPlain } from "./statement.ts";

const POOL_IDLE_MS = 60_000;
/**
 * A server that runs a statement, or waits for a lock, notices only now and then that its client is gone; until then it
 * keeps what the client held, an Idempotency-Key among it, for as long as a statement may take.
 */
const WATCH_CLIENT = "set client_connection_check_interval = '500ms'";

interface PoolOptions {
  applicationName: string;
  max: number;
  /** Number of connections that stay open from the start on: opening one takes longer than most requests. */
  kept: number;
  session: SessionSettings;
  waits: Waits;
  /** Whether its commits wait for a standby: then all connections may be in use for long, and the database is there. */
  areHeldUp?(): boolean;
}

/** A pool, and a way to open the connections that stay open; knex itself opens them one by one as they are needed. */
export interface Pool {
  knex: Knex;
  warmUp(): Promise<void>;
  /** Opens all connections, one after the other, and runs a statement on each. */
  fill(statement: string): Promise<void>;
  /** Runs one autocommit statement. */
  run<Row>(sql: string, values?: readonly unknown[], form?: RowForm): Promise<Row[]>;
  /**
   * Rejects when no connection answers. When all are in use, they answer if one of them has done so lately: a pool that
   * is overloaded is not away.
   */
  check(): Promise<void>;
  /** Milliseconds since any of its connections has answered. */
  sinceAnswer(): number;
}

/** The pool: knex, and the watches over its connections. */
export function openPool(url: string, options: PoolOptions): Pool {
  const { applicationName, max, kept, session, waits, areHeldUp = () => false } = options;
  const liveness = createLiveness(waits);
  const pool = openKnex(poolConnection(url, applicationName, { waits, session }), {
    // An error that quotes the statement with its values would put personal data into logs.
    compileSqlOnError: false,
    acquireConnectionTimeout: waits.poolWaitMs,
    pool: {
      min: kept,
      max,
      idleTimeoutMillis: POOL_IDLE_MS,
      afterCreate: (connection: PoolConnection, done: Done) => {
        liveness.watch(connection);
        watchConnection(connection, waits, done);
      },
      validate: liveness.isAlive,
    },
  });
  const isAtWork = () => {
    const connections = countsOf(pool);
    const areAllInUse = connections.numFree() === 0 && connections.numUsed() > 0;
    return areAllInUse && (areHeldUp() || liveness.sinceAnswer() <= waits.poolStatementMs + waits.silenceMs);
  };
  return {
    knex: pool,
    async warmUp() {
      const taken = await Promise.allSettled(Array.from({ length: kept }, () => acquire(pool)));
      // Closing the pool would wait for any that is not given back, for ever.
      for (const one of taken) if (one.status === "fulfilled") await release(pool, one.value);
      for (const one of taken) if (one.status === "rejected") throw one.reason;
    },
    async fill(text) {
      const taken: PoolConnection[] = [];
      try {
        while (taken.length < max) {
          const connection = await acquire(pool);
          taken.push(connection);
          await query(connection, { text });
        }
      } finally {
        for (const connection of taken) await release(pool, connection);
      }
    },
    run: (text, values = [], form) =>
      sendNamedOrPlain(text, (name) => runOn(pool, { ...(name && { name }), text, values, ...formOptions(form) })),
    check: createCheck(() => ask(pool, waits), isAtWork),
    sinceAnswer: liveness.sinceAnswer,
  };
}

async function ask(pool: Knex, { poolWaitMs, silenceMs }: Waits): Promise<void> {
  const connection = await acquire(pool);
  try {
    // A connection that takes longer than this is cut off, and its neighbours with it.
    await query(connection, { text: "select 1", query_timeout: poolWaitMs + silenceMs });
  } finally {
    await release(pool, connection);
  }
}

/** Knex itself notes when a connection breaks, and uses it no more. */
async function runOn<Row>(pool: Knex, statement: Statement): Promise<Row[]> {
  const connection = await acquire(pool);
  try {
    return (await query(connection, statement)).rows as Row[];
  } finally {
    await release(pool, connection);
  }
}

type Done = (error: unknown, connection: PoolConnection) => void;

/**
 * Watches over each connection of the pool. The server looks whether we are still there. The connection is replaced
 * when it holds too many statements, or when its PostgreSQL takes no writes any more; the next one finds the
 * primary. It is cut off when it does not end. A commit that was none is an error.
 */
function watchConnection(connection: PoolConnection, waits: Waits, done: Done): void {
  const [send, end] = [connection.query.bind(connection), connection.end.bind(connection)];
  const prepared = new Set<string>();
  const becameReadOnly = () => discard(connection, "PostgreSQL takes no writes");
  connection.query = (config, answer) => {
    if (config.name) prepared.add(config.name);
    if (prepared.size > STATEMENTS_PER_CONNECTION_MAX) discard(connection, "too many prepared statements");
    return send(config, (error, result) => {
      if (errorCode(error) === SQLSTATE.readOnlyTransaction) becameReadOnly();
      answer(error ?? lostCommit(config.text, result?.command), result);
    });
  };
  connection.onReadOnly = becameReadOnly;
  const ending = { connection: connection.connection, end: () => new Promise<void>((resolve) => end(resolve)) };
  connection.end = (done) => void endConnection(ending, waits).then(done);
  // PostgreSQL on Windows rejects it: go on without it.
  send({ text: WATCH_CLIENT }, () => done(null, connection));
}

/**
 * PostgreSQL answers COMMIT of a failed transaction with a rollback and no error. If the error of its statement was
 * swallowed, work would be acknowledged that is lost.
 */
function lostCommit(text: string | undefined, command: string | undefined): Error | null {
  if (command !== "ROLLBACK" || !text?.startsWith("COMMIT")) return null;
  return new Error(
    "A statement of this transaction failed, its error was swallowed, and PostgreSQL rolled everything back.",
  );
}
