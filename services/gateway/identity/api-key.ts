import type { IncomingMessage } from "node:http";
import { ApiError } from "../../../base/contract/errors.ts";
import { headerLines } from "../connection/head.ts";

const BEARER = /^bearer +(\S+)$/i;

/** The API key of a request; undefined when it has no Authorization header, several, or one of another form. */
export function apiKeyOf(request: IncomingMessage): string | undefined {
  const [authorization, second] = headerLines(request, "authorization");
  return authorization === undefined || second !== undefined ? undefined : BEARER.exec(authorization)?.[1];
}

const SEND = "Send a valid API key: Authorization: Bearer <API_KEY>.";
const ASK = "Ask the person who runs the server for a new one.";

/**
 * Messages of a 401. A key that never was and one that was revoked have the same words, so that a client cannot find
 * out which keys there were. docs/guides/access.md#why-a-request-is-401
 */
export const REFUSED = {
  broken:
    "This API key was mistyped or cut off: a key begins with cwk_, has 55 characters, and its last 8 are a checksum. Copy it again.",
  unknown: `This API key is unknown, or it was revoked. ${ASK}`,
  expired: `This API key has expired. ${ASK}`,
};

/** Headers in which other services take keys. */
const OTHER_HEADERS = ["X-Api-Key", "Api-Key", "X-Api-Token", "X-Auth-Token"];
/** A scheme, followed by something else. A header of one word may be a key, which is not repeated. */
const SCHEME = /^([a-z][a-z0-9-]{0,19}) +\S/i;

/** Why a request has no key, in words for a 401. docs/guides/access.md#why-a-request-is-401 */
export function whyNoKey(request: IncomingMessage): string {
  const [authorization, second] = headerLines(request, "authorization");
  if (second !== undefined) return `${SEND} The request has two Authorization headers.`;
  if (authorization === undefined) {
    const other = OTHER_HEADERS.find((name) => headerLines(request, name.toLowerCase()).length > 0);
    return `${SEND} The request has no Authorization header${other ? `, and ${other} is not read` : ""}.`;
  }
  const scheme = SCHEME.exec(authorization)?.[1];
  if (scheme?.toLowerCase() === "bearer") return REFUSED.broken;
  if (scheme !== undefined) return `${SEND} The scheme ${scheme} is not known here.`;
  const isBare = /^bearer *$/i.test(authorization);
  return `${SEND} ${isBare ? "There is no key behind the word Bearer" : "The word Bearer is missing before the key"}.`;
}

/** The 401 of a request without a valid key. */
export function unauthorized(message: string): ApiError {
  return new ApiError("UNAUTHORIZED", message, undefined, { "WWW-Authenticate": "Bearer" });
}
