import { RefusedName, RefusedTarget } from "./lookup.ts";

/** The same words for all names to which nothing can be sent. docs/guides/webhook-deliveries.md#targets */
const NO_ADDRESS = "the name was not found, or leads to an address that is not allowed";

/** Code of a failed connection → text for the reader. docs/guides/webhook-deliveries.md#the-request */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "the connection was closed before an answer",
  EPIPE: "the connection was closed before an answer",
  ECONNABORTED: "the connection was closed before an answer",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ERR_INVALID_URL: "the target is not a URL",
  EADDRNOTAVAIL: "the address cannot be reached",
  ETIMEDOUT: "the host does not take connections",
  ENOTFOUND: NO_ADDRESS,
  ENODATA: NO_ADDRESS,
  EBADNAME: NO_ADDRESS,
  EBUSY: "the server is busy: too many names are looked up at the moment",
  EAI_AGAIN: "the name could not be looked up",
  ETIMEOUT: "the name could not be looked up",
  ESERVFAIL: "the name could not be looked up",
  HPE_HEADER_OVERFLOW: "the headers of the answer are too large",
  CERT_HAS_EXPIRED: "the certificate has expired",
  CERT_NOT_YET_VALID: "the certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the issuer of the certificate is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the issuer of the certificate is not trusted",
  UNABLE_TO_GET_ISSUER_CERT: "the issuer of the certificate is not trusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the issuer of the certificate is not trusted",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another name",
};

/** Why a request got no answer, in short words for a reader. They hold nothing that the other side has sent. */
export function failureWords(error: Error & { code?: unknown }): string {
  if (error instanceof RefusedTarget) return error.message;
  if (error instanceof RefusedName) return NO_ADDRESS;
  const code = codeOf(error);
  const words = WORDS[code];
  if (words !== undefined) return words;
  if (code.startsWith("HPE_")) return "the answer is not HTTP";
  if (/^(ERR_SSL_|ERR_TLS_|EPROTO)/.test(code)) return "TLS failed";
  return code === "" ? "the connection failed" : `the connection failed (${code})`;
}

/** Code of an error. If several addresses were tried, the error holds one for each; the first one counts. */
function codeOf(error: Error & { code?: unknown }): string {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return codeOf(error.errors[0]);
  return typeof error.code === "string" ? error.code : "";
}

/** True if no allowed address was found for a name. */
export function isWithoutAddress(error: Error & { code?: unknown }): boolean {
  return failureWords(error) === NO_ADDRESS;
}
