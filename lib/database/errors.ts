import { CONFLICTS, SQLSTATE } from "./sqlstates.ts";

/** Failures after which the same statement may well succeed on a database that has come back. */
const UNAVAILABLE_SQLSTATES = new Set<string>([
  // The primary has become a standby.
  SQLSTATE.readOnlyTransaction,
  SQLSTATE.idleInTransactionTimeout,
  // Still there after the retries.
  SQLSTATE.serializationFailure,
  SQLSTATE.deadlockDetected,
  SQLSTATE.lockNotAvailable,
  // Also of a statement timeout.
  SQLSTATE.queryCanceled,
  SQLSTATE.adminShutdown,
  SQLSTATE.crashShutdown,
  // Starting, stopping or recovering.
  SQLSTATE.cannotConnectNow,
  SQLSTATE.idleSessionTimeout,
]);

/** 08: the connection. 53: disk, memory or connections are exhausted. 58: the server's own files. */
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

/** What pg and Knex say, without any code, when a connection is gone or none is free. */
const UNAVAILABLE_MESSAGES = [
  "Connection terminated",
  "timeout expired",
  "timeout exceeded when trying to connect",
  "Query read timeout",
  "Client has encountered a connection error",
  "Client was closed",
  "Timeout acquiring a connection",
  "Unable to acquire a connection",
];

/** Tells whether the database, rather than the statement, is the reason of a failure: such a request is worth repeating (503). */
export function isUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (code && isSqlstate(code)) return UNAVAILABLE_SQLSTATES.has(code) || UNAVAILABLE_CLASSES.has(code.slice(0, 2));
  if (code && UNAVAILABLE_SYSTEM_ERRORS.has(code)) return true;
  // The socket file of a stopped server is missing; a missing file elsewhere is another matter.
  if (code === "ENOENT") return property(error, "syscall") === "connect";
  // tarn's word for those who wait for a connection while the pool closes.
  const message = property(error, "message");
  if (typeof message !== "string") return false;
  return message === "aborted" || UNAVAILABLE_MESSAGES.some((known) => message.includes(known));
}

/** The name of the unique or foreign key constraint that refused a statement; undefined for every other error. */
export function violatedConstraint(error: unknown): string | undefined {
  const code = errorCode(error);
  if (code === undefined || !CONFLICTS.includes(code)) return undefined;
  const constraint = property(error, "constraint");
  return typeof constraint === "string" ? constraint : undefined;
}

/** SQLSTATE of a PostgreSQL error, code of a system error, else undefined. */
export function errorCode(error: unknown): string | undefined {
  const code = property(error, "code");
  return typeof code === "string" ? code : undefined;
}

function isSqlstate(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && code !== "EPIPE";
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
