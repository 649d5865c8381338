import type { IncomingMessage } from "node:http";
import { ApiError } from "../../../lib/contract/errors.ts";
import { headerLines } from "../connection/head.ts";

const BEARER = /^bearer +(\S+)$/i;

/** The API key of a request; undefined when it has no Authorization header, several, or one of another form. */
export function apiKeyOf(request: IncomingMessage): string | undefined {
  const [authorization, second] = headerLines(request, "authorization");
  return authorization === undefined || second !== undefined ? undefined : BEARER.exec(authorization)?.[1];
}

/** The 401 of a missing, malformed, unknown, revoked or expired key. It does not say which. docs/guides/access.md#api-keys */
export function unauthorized(): ApiError {
  return new ApiError("UNAUTHORIZED", "Send a valid API key: Authorization: Bearer <API_KEY>.", undefined, {
    "WWW-Authenticate": "Bearer",
  });
}
