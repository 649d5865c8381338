import { databaseAddress, faultOfSearch } from "./database-address.ts";
import { type ValueKind, withScheme } from "./env-values.ts";

/** Spelling of each sslmode of an address for pg, the driver. docs/guides/deploying.md#tls-to-the-database */
const SSL_MODES: Record<string, string> = {
  disable: "sslmode=disable",
  // pg checks all of them like verify-full, with a warning of eight lines that it will not for ever. Said like this it
  // will.
  allow: "sslmode=verify-full",
  prefer: "sslmode=verify-full",
  require: "sslmode=verify-full",
  "verify-ca": "sslmode=verify-ca&uselibpqcompat=true",
  "verify-full": "sslmode=verify-full",
  "no-verify": "sslmode=no-verify",
};

/** The parameters for TLS that pg knows. */
const SSL_PARAMETERS = ["sslmode", "sslrootcert", "sslcert", "sslkey", "ssl", "sslnegotiation"];

/** A PostgreSQL address, also one of a socket folder or of several hosts. */
export const postgresUrl: ValueKind<string> = {
  allowed: `postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with odd characters in USER and PASSWORD as %40 for @, %2F for /, %23 for #; HOST:PORT,HOST:PORT for a primary and its standbys; with sslmode (${Object.keys(SSL_MODES).join(", ")}) and sslrootcert for TLS`,
  parse: (text) => (faultOf(text) === null ? withKnownModes(text) : undefined),
  fault: (text) => faultOf(text) ?? "is not an address of PostgreSQL",
};

/** Fault of an address, in words without its password; null for a right one. */
function faultOf(text: string): string | null {
  if (!/^postgres(ql)?:\/\//i.test(text)) return "does not begin with postgresql://";
  const [first] = databaseAddress(text)?.hosts ?? [];
  const url = withScheme(first?.url ?? "", ["postgresql:", "postgres:"]);
  // An odd character that was not written so ends the host too early: what follows stands in the path, or behind it.
  if (!url || /[@#]/.test(url.pathname + url.search + url.hash) || /%(?![\da-f]{2})/i.test(url.username + url.password))
    return "has a host or port that cannot be read, or an odd character in USER or PASSWORD";
  return faultOfTls(url.searchParams) ?? faultOfSearch(url.searchParams);
}

/**
 * pg takes no notice of a parameter that it does not know: a slip of the pen would leave the connection without TLS.
 */
function faultOfTls(parameters: URLSearchParams): string | null {
  for (const [name, value] of parameters) {
    if (/^ssl/i.test(name) && !SSL_PARAMETERS.includes(name))
      return `has the parameter ${name}, which is none of ${SSL_PARAMETERS.join(", ")}`;
    if (name === "sslmode" && !Object.hasOwn(SSL_MODES, value) && !parameters.has("uselibpqcompat"))
      return `has sslmode=${value}, which is none of ${Object.keys(SSL_MODES).join(", ")}`;
  }
  return null;
}

/** The address with modes that pg understands as they are meant. The text before `?` stays as it is. */
function withKnownModes(text: string): string {
  const [address = "", query] = text.split(/\?(.*)/s);
  if (query === undefined) return text;
  const parameters = query.split("&").filter((one) => one !== "");
  // An admin who writes this knows pg, and means it.
  if (parameters.some((one) => one.startsWith("uselibpqcompat="))) return text;
  const hasAuthority = parameters.some((one) => one.startsWith("sslrootcert=") && one !== SYSTEM);
  const written = parameters.filter((one) => one !== SYSTEM).map((one) => modeFor(one, hasAuthority));
  return written.length === 0 ? address : `${address}?${written.join("&")}`;
}

/** The authorities that Node.js knows, which are taken when none is named. */
const SYSTEM = "sslrootcert=system";

function modeFor(parameter: string, hasAuthority: boolean): string {
  const [, mode] = /^sslmode=(.*)$/.exec(parameter) ?? [];
  if (mode === undefined) return parameter;
  // The signature alone of an authority that signs for everybody proves nothing.
  if (mode === "verify-ca" && !hasAuthority) return "sslmode=verify-full";
  return SSL_MODES[mode] ?? parameter;
}
