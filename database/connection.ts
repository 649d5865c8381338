import type { Writable } from "node:stream";
import pg from "pg";
import { READY_CHECK_MS } from "../config/limits.ts";
import type { Opening } from "./open-client.ts";
import { type SessionSettings, WITHOUT_STANDBY } from "./session.ts";
import { PLAN_ONCE } from "./statement.ts";
import { beginStatement } from "./statement-span.ts";

export interface Statement {
  name?: string;
  text?: string;
  values?: readonly unknown[];
  /** As `formOptions` gives them. */
  rowMode?: "array";
  types?: { getTypeParser(): (text: string) => unknown };
  /** Replaces the time limit of the connection, after which the connection is cut. */
  query_timeout?: number;
}

export interface Answer {
  command: string;
  rows: unknown[];
}

/** A connection of the pool, of which knex knows more. */
export interface PoolConnection {
  query(config: Statement, answer: (error: unknown, result?: Answer) => void): unknown;
  end(done: () => void): void;
  connection: { stream: Writable };
  onReadOnly: () => void;
}

/** Runs a statement on a connection of the pool. */
export function query(connection: PoolConnection, statement: Statement): Promise<Answer> {
  const ended = beginStatement(statement);
  return new Promise((resolve, reject) => {
    connection.query(statement, (error, answer) => {
      ended?.(error);
      if (answer && !error) resolve(answer);
      else reject(error);
    });
  });
}

/** Time limits for the connections to the database. */
export interface Waits {
  /**
   * Longest wait for a free connection of the pool; then it is better to send the client away.
   * docs/guides/under-load.md
   */
  poolWaitMs: number;
  /** The server ends a statement of the pool after this time: every request ends within 10 s. */
  poolStatementMs: number;
  /**
   * Longest wait of a statement for a lock of another transaction: the waiting request holds a connection that others
   * need. It is longer than any write of ours holds a row, and than PostgreSQL takes to find a deadlock (1 s).
   */
  lockWaitMs: number;
  /**
   * The same for a reader. A slow statement holds up those behind it in the pipeline, so only short ones belong there.
   */
  readerStatementMs: number;
  /** Beyond these two: time for an answer that a dead network will never bring. Then the connection is given up. */
  silenceMs: number;
  /** A connection that has answered so lately is used without asking whether it is still there. */
  trustMs: number;
  /**
   * Any other of the pool is asked first, and given up when it takes longer than this to answer; a reader, after
   * `silenceMs`.
   */
  probeMs: number;
  /**
   * Longest wait of a write for a synchronous standby; then it is 503. Most restarts of a standby take less time, and a
   * request that has begun within three seconds still ends within eight.
   */
  standbyMs: number;
  /** Longest time for ending a connection: longer than the statements of a reader that are still to be answered. */
  goodbyeMs: number;
  /** Longest wait of a check for its answers. */
  checkMs: number;
}

/**
 * A connection whose other end is gone stays silent for ever, and TCP alone finds that out after a quarter of an hour.
 * With these times all of the silent ones are replaced within twelve seconds.
 */
export const WAITS: Waits = {
  poolWaitMs: 1_000,
  poolStatementMs: 8_000,
  lockWaitMs: 3_000,
  readerStatementMs: 2_000,
  silenceMs: 1_500,
  trustMs: 1_000,
  // Half of `poolWaitMs`, which leaves as much for opening another connection.
  probeMs: 500,
  standbyMs: 4_000,
  goodbyeMs: 5_000,
  checkMs: READY_CHECK_MS,
};

/**
 * Longest time for a new connection of the pool to open. This is longer than any request waits for it. On a busy
 * machine a connection that is given up and begun anew each second would never open; so it goes on opening, for a later
 * request.
 */
const POOL_CONNECT_MS = 5_000;
/** Statements of a reader wait for its connection, so they find out sooner that there is none. */
const READER_CONNECT_MS = 2_000;
const IDLE_IN_TRANSACTION_MS = 10_000;
const KEEPALIVE_DELAY_MS = 10_000;

const INT8 = 20;
const DATE = 1082;
const DATE_ARRAY = 1182;
const INT8_ARRAY = 1016;
const TEXT_ARRAY = 1009;

type Parse = (text: string) => unknown;

// pg has parsers for arrays, but its declaration lists no types of arrays.
const textArray: (text: string) => string[] = pg.types.getTypeParser(TEXT_ARRAY as number);

/**
 * Dates stay text, since pg would make them a local midnight; int8 becomes a number where none of its digits is lost.
 */
const PARSERS = new Map<number, Parse>([
  [INT8, safeInteger],
  [INT8_ARRAY, (text) => textArray(text).map(safeInteger)],
  [DATE, (text) => text],
  [DATE_ARRAY, textArray],
]);

/** Settings of the pool's connections. */
export function poolConnection(
  url: string,
  applicationName: string,
  { waits = WAITS, session = PLAN_ONCE }: { waits?: Waits; session?: SessionSettings } = {},
): Opening {
  return {
    ...connection(url, applicationName),
    connectionTimeoutMillis: POOL_CONNECT_MS,
    query_timeout: waits.poolStatementMs + waits.silenceMs,
    session: {
      ...session,
      statement_timeout: waits.poolStatementMs,
      lock_timeout: waits.lockWaitMs,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    },
  };
}

/** Settings of the connection that many requests share. */
export function readerConnection(url: string, applicationName: string, waits = WAITS): Opening {
  return {
    ...connection(url, `${applicationName} reader`),
    connectionTimeoutMillis: READER_CONNECT_MS,
    session: { ...PLAN_ONCE, ...WITHOUT_STANDBY, statement_timeout: waits.readerStatementMs },
  };
}

/** A connection as far as it can be ended. */
interface Ending {
  end(): Promise<void>;
  connection: { stream: { destroy(): void } };
}

/** Ends a connection when its statements are answered; one that does not say goodbye is cut off. */
export async function endConnection(client: Ending, { goodbyeMs }: Pick<Waits, "goodbyeMs"> = WAITS): Promise<void> {
  const timer = setTimeout(() => client.connection.stream.destroy(), goodbyeMs);
  try {
    await client.end();
  } finally {
    clearTimeout(timer);
  }
}

function connection(url: string, applicationName: string) {
  return {
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
    // A statement is sent without waiting for the answers to those before it: reads of many requests, writes of one.
    // With it a connection whose `query_timeout` has passed is cut off; without it pg would only forget the statement.
    pipeline: true,
    keepAliveInitialDelayMillis: KEEPALIVE_DELAY_MS,
    types: { getTypeParser },
  };
}

// pg asks for a parser per column of a result; the format is "text" unless a query asks for binary, and none here does.
function getTypeParser(oid: number, format?: string): unknown {
  return (
    PARSERS.get(oid) ?? (format === "binary" ? pg.types.getTypeParser(oid, "binary") : pg.types.getTypeParser(oid))
  );
}

function safeInteger(text: string): number | string {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
}
