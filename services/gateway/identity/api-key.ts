import type { IncomingMessage } from "node:http";
import { ApiError } from "../../../lib/contract/errors.ts";
import { headerLines } from "../connection/head.ts";

const BEARER = /^bearer +(\S+)$/i;

/** The key of a request; undefined when there is none, or more than one Authorization header. */
export function keyOf(request: IncomingMessage): string | undefined {
  const [authorization, second] = headerLines(request, "authorization");
  return authorization === undefined || second !== undefined ? undefined : BEARER.exec(authorization)?.[1];
}

/** The 401 of a missing, malformed, unknown, revoked or expired key. */
export function unauthorized(): ApiError {
  return new ApiError("UNAUTHORIZED", "Send a valid API key: Authorization: Bearer <API_KEY>.", undefined, {
    "WWW-Authenticate": "Bearer",
  });
}
