import { Refusal } from "contact-workspace-postgres/refusal";
import { type DatabaseAddress, databaseAddress, placesOf } from "../../config/database-address.ts";
import { errorCode } from "../errors.ts";
import { NoHost } from "../open-client.ts";
import { SQLSTATE } from "../sqlstates.ts";

/** Parts of DATABASE_URL that messages name; `at` is the host with its port, or several of them. */
interface Target {
  host: string;
  at: string;
  user: string;
  database: string;
}

type Words = (target: Target, message: string) => string;

const UNCHECKED = "sslmode=no-verify encrypts without checking the server";

const untrusted: Words = ({ host }, message) =>
  `The certificate of ${host} cannot be trusted (${message.split(";")[0]}): set sslrootcert=FILE in DATABASE_URL to the certificate of its issuer; ${UNCHECKED}.`;

const unreachable: Words = ({ at }, message) =>
  `No PostgreSQL answers at ${at} (${message}): start PostgreSQL there and open the way to it, or correct DATABASE_URL.`;

const unknownHost: Words = ({ host }, message) =>
  `The host "${host}" of DATABASE_URL is not found (${message}): correct the name, or the DNS of this machine.`;

/** Messages for the admin who has set DATABASE_URL, by code of the error: SQLSTATEs, codes of the system and of TLS. */
const BY_CODE: Record<string, Words> = {
  [SQLSTATE.invalidPassword]: ({ user }) =>
    `PostgreSQL has no role "${user}", or does not take this password for it: correct DATABASE_URL. Odd characters are written as %40 for @, %2F for / and so on.`,
  [SQLSTATE.invalidAuthorization]: ({ host }, message) =>
    `PostgreSQL on ${host} refuses the connection (${message}): correct the role in DATABASE_URL, or allow it in pg_hba.conf there; where that asks for TLS, add sslmode=verify-full to DATABASE_URL.`,
  [SQLSTATE.invalidCatalogName]: ({ host, user, database }) =>
    `There is no database "${database}" on ${host}: correct DATABASE_URL, or create it: create database ${quoted(database)} owner ${quoted(user)} encoding 'UTF8' template template0`,
  [SQLSTATE.tooManyConnections]: ({ host }, message) =>
    `PostgreSQL on ${host} has no connection left (${message}): raise its max_connections, or lower DATABASE_POOL.`,
  [SQLSTATE.diskFull]: (_target, message) => `The disk of PostgreSQL is full (${message}): free some space there.`,
  [SQLSTATE.queryCanceled]: ({ user }, message) =>
    `PostgreSQL ended a statement (${message}): raise statement_timeout and lock_timeout of the role "${user}" and of the database, or remove these settings.`,
  [SQLSTATE.insufficientPrivilege]: ({ user }, message) =>
    `The role "${user}" lacks a right (${message}): let the owner of the database grant it, or make that role the owner.`,
  [SQLSTATE.protocolViolation]: (_target, message) =>
    message.includes("startup parameter")
      ? `A connection pooler in front of PostgreSQL does not accept a setting of DATABASE_URL (${message}): remove it there and set it for the role in PostgreSQL, or set DATABASE_URL to PostgreSQL itself.`
      : `The server that answers is not PostgreSQL (${message}): correct DATABASE_URL.`,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ECONNREFUSED: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ETIMEDOUT: unreachable,
  ENOENT: (_target, message) =>
    message.startsWith("connect")
      ? `There is no socket of PostgreSQL where DATABASE_URL says (${message}): start PostgreSQL, or correct DATABASE_URL.`
      : `A file that DATABASE_URL names is not there (${message}): correct DATABASE_URL.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: ({ host }, message) =>
    `The certificate of PostgreSQL is not for ${host} (${message.replace(/[:\s]+$/, "")}): set DATABASE_URL to the name in the certificate; ${UNCHECKED}.`,
};

/** Messages for errors of pg without a code. */
const BY_MESSAGE: [said: RegExp, words: Words][] = [
  [
    /password must be a/,
    ({ user }) =>
      `PostgreSQL asks the role "${user}" for a password, and DATABASE_URL has none: postgresql://${user}:PASSWORD@…`,
  ],
  [
    /does not support SSL/,
    ({ host }) =>
      `PostgreSQL on ${host} does not offer TLS: switch it on there, or set sslmode=disable in DATABASE_URL.`,
  ],
  [/cannot be read/, ({ at }) => `The server at ${at} is not PostgreSQL: correct DATABASE_URL.`],
  [
    /Connection terminated/,
    ({ at }, message) =>
      `The server at ${at} closed the connection (${message}): try again, look into the log of PostgreSQL, or correct DATABASE_URL.`,
  ],
  [/timeout expired|timeout exceeded/, unreachable],
];

/**
 * Message for an error of PostgreSQL, or of the way to it, in one line that says what to do.
 * @param databaseUrl undefined with the embedded database
 * @returns null for an error that is not the database's
 */
export function databaseFailure(error: unknown, databaseUrl: string | undefined): string | null {
  if (error instanceof Refusal) return error.message;
  if (error instanceof NoHost) return noHostWords(error);
  const message = plainMessage(error);
  const code = errorCode(error) ?? "";
  const address = databaseUrl === undefined ? undefined : databaseAddress(databaseUrl);
  if (address) {
    const words = BY_CODE[code] ?? BY_MESSAGE.find(([said]) => said.test(message))?.[1];
    if (words) return words(targetOf(address), message);
  }
  return isOfPostgres(error) ? `PostgreSQL says: ${message}` : null;
}

/** Message for several hosts, of which each has said something else. */
function noHostWords({ failures }: NoHost): string {
  const said = failures.map(({ place, error }) => `${place} (${plainMessage(error)})`);
  return `None of the hosts of DATABASE_URL lets this server in: ${said.join(", ")}. Start the primary, or correct DATABASE_URL.`;
}

/**
 * The words of an error in one line: of PostgreSQL those of its own, with detail and hint, without the statement before
 * them.
 */
export function plainMessage(error: unknown): string {
  const { message = String(error), detail, hint } = error as { message?: string; detail?: string; hint?: string };
  // Knex puts the statement and " - " before the message.
  const own = isOfPostgres(error) ? (message.split(" - ").at(-1) ?? "") : message;
  const lines = own.split("\n").filter((line) => line.trim() !== "");
  const said = isOfPostgres(error) ? lines.join(" ") : lines[0];
  return [said, detail, hint]
    .filter((part) => part)
    .join(". ")
    .replaceAll("..", ".");
}

/** Whether PostgreSQL has sent the error: only such errors have a severity. */
function isOfPostgres(error: unknown): boolean {
  return typeof error === "object" && error !== null && "severity" in error;
}

function targetOf({ hosts, user, database }: DatabaseAddress): Target {
  return { host: hosts.map(({ host }) => host).join(", "), at: placesOf(hosts), user, database };
}

function quoted(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
