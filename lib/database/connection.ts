import type { Knex } from "knex";
import pg from "pg";

/** A pool connection answers within this time or is not waited for: every request ends within 10 s. */
const POOL_STATEMENT_MS = 8_000;
/** A slow statement holds up those behind it in the pipeline, so only short ones belong there. */
const READER_STATEMENT_MS = 2_000;
/** Beyond the server's own limit: time for an answer that a dead network will never bring. */
const SILENCE_MS = 1_500;
/** Longest wait for a free connection of the pool; then it is better to send the client away. docs/guides/limits.md#under-load */
export const POOL_WAIT_MS = 1_000;
/**
 * How long a new connection of the pool may take to open. This is longer than any request waits for it. On a busy machine a
 * connection that is given up and begun anew each second would never open; so it goes on opening, for a later request.
 */
const POOL_CONNECT_MS = 5_000;
/** The statements of a reader wait for its connection, so they learn sooner that there is none. */
const READER_CONNECT_MS = 2_000;
const IDLE_IN_TRANSACTION_MS = 10_000;
const KEEPALIVE_DELAY_MS = 10_000;

/** How long a statement of the pool may take altogether before its connection is given up. */
export const POOL_SILENCE_MS = POOL_STATEMENT_MS + SILENCE_MS;

const INT8 = 20;
const DATE = 1082;
const DATE_ARRAY = 1182;
const INT8_ARRAY = 1016;
const TEXT_ARRAY = 1009;

type Parse = (text: string) => unknown;

// pg has parsers for arrays, but its declaration lists no types of arrays.
const textArray: (text: string) => string[] = pg.types.getTypeParser(TEXT_ARRAY as number);

/** Dates stay text, since pg would make them a local midnight; int8 becomes a number where none of its digits is lost. */
const PARSERS = new Map<number, Parse>([
  [INT8, safeInteger],
  [INT8_ARRAY, (text) => textArray(text).map(safeInteger)],
  [DATE, (text) => text],
  [DATE_ARRAY, textArray],
]);

/** Settings of the pool's connections. */
export function poolConnection(url: string, applicationName: string): Knex.PgConnectionConfig {
  return {
    ...connection(url, applicationName),
    connectionTimeoutMillis: POOL_CONNECT_MS,
    statement_timeout: POOL_STATEMENT_MS,
  };
}

/** Settings of the connection that many requests share. */
export function readerConnection(url: string, applicationName: string): pg.ClientConfig {
  return {
    ...connection(url, `${applicationName} reader`),
    connectionTimeoutMillis: READER_CONNECT_MS,
    statement_timeout: READER_STATEMENT_MS,
    query_timeout: READER_STATEMENT_MS + SILENCE_MS,
  };
}

function connection(url: string, applicationName: string) {
  return {
    connectionString: url,
    application_name: applicationName,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    // A statement is sent without waiting for the answers to those before it: reads of many requests, writes of one.
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
