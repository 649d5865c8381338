import { CONFLICTS, SQLSTATE } from "./sqlstates.ts";

/** Failures after which the same statement can succeed when the database is back. */
const UNAVAILABLE_SQLSTATES = new Set<string>([
  // The server has become a standby.
  SQLSTATE.readOnlyTransaction,
  SQLSTATE.idleInTransactionTimeout,
  // These two are retried, and get here when all retries have failed.
  SQLSTATE.serializationFailure,
  SQLSTATE.deadlockDetected,
  SQLSTATE.lockNotAvailable,
  // A commit that a synchronous standby has not confirmed.
  SQLSTATE.completionUnknown,
  // A statement that took too long has this code, too.
  SQLSTATE.queryCanceled,
  SQLSTATE.adminShutdown,
  SQLSTATE.crashShutdown,
  // The server starts, stops or recovers.
  SQLSTATE.cannotConnectNow,
  SQLSTATE.idleSessionTimeout,
]);

/**
 * Classes of SQLSTATEs, of which all codes count. 08: the connection is broken. 53: disk, memory or connections are
 * exhausted. 58: the server cannot use its own files.
 */
const UNAVAILABLE_CLASSES = new Set(["08", "53", "58"]);

const UNAVAILABLE_SYSTEM_ERRORS = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** pg's words when `query_timeout` has passed. */
export const SILENCE = "Query read timeout";

/** Beginning of the messages of writes that a synchronous standby holds up (commits.ts). */
export const HELD_UP = "PostgreSQL waits for its synchronous standby";

/** Messages of pg and Knex, without any code, when a connection is gone or none is free. */
const UNAVAILABLE_MESSAGES = [
  "Connection terminated",
  "timeout expired",
  "timeout exceeded when trying to connect",
  SILENCE,
  HELD_UP,
  // pg says so of a message that belongs to no statement.
  "Received unexpected",
  "Client has encountered a connection error",
  "Client was closed",
  "Timeout acquiring a connection",
  "Unable to acquire a connection",
];

/**
 * Whether a failure is the database's and not the statement's. The request is then answered with 503, and worth
 * repeating.
 * docs/guides/conventions.md#when-something-is-away
 */
export function isUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (code && isSqlstate(code)) return UNAVAILABLE_SQLSTATES.has(code) || UNAVAILABLE_CLASSES.has(code.slice(0, 2));
  if (code && UNAVAILABLE_SYSTEM_ERRORS.has(code)) return true;
  // A server that has stopped has no socket file. Any other missing file is another matter.
  if (code === "ENOENT") return property(error, "syscall") === "connect";
  // tarn, the library of Knex's pool, says "aborted" to callers that wait for a connection when the pool closes.
  const message = property(error, "message");
  if (typeof message !== "string") return false;
  return message === "aborted" || UNAVAILABLE_MESSAGES.some((known) => message.includes(known));
}

/** The end of the names of a shard of Citus, and of its constraints. */
const SHARD = /_\d{6,}$/;
/** Citus passes the message of a worker on, and no field with the name of the constraint. */
const QUOTED = /"([^"]+)"$/;

/** The name of the unique or foreign key constraint that refused a statement; undefined for every other error. */
export function violatedConstraint(error: unknown): string | undefined {
  const code = errorCode(error);
  if (code === undefined || !CONFLICTS.includes(code)) return undefined;
  const constraint = property(error, "constraint") ?? QUOTED.exec(String(property(error, "message")))?.[1];
  return typeof constraint === "string" ? constraint.replace(SHARD, "") : undefined;
}

/** SQLSTATE of a PostgreSQL error, code of a system error, else undefined. */
export function errorCode(error: unknown): string | undefined {
  const code = property(error, "code");
  return typeof code === "string" ? code : undefined;
}

/** A SQLSTATE is five digits or capital letters. So is EPIPE, which is a code of the operating system. */
function isSqlstate(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && code !== "EPIPE";
}

export function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
