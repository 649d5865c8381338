import type { IncomingMessage } from "node:http";
import { ApiError } from "../../../lib/contract/errors.ts";

/** The version that answers carry. API document, "Versioning"; gaps 2, "Version". */
export const API_VERSION = "2025-06-09";
const SUPPORTED_VERSIONS = [API_VERSION, "2025-05-26"];

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

/** 400 for a version that is not served; absent means the latest. */
export function checkVersion(request: IncomingMessage): void {
  const version = request.headers["x-api-version"];
  if (version === undefined || SUPPORTED_VERSIONS.includes(String(version))) return;
  throw new ApiError(
    "INVALID_REQUEST",
    `The API version "${String(version).slice(0, 50)}" is not supported. Supported: ${SUPPORTED_VERSIONS.join(", ")}.`,
  );
}

/**
 * The values of a header, line by line as they were sent: Node keeps the first of repeated Authorization lines, and joins
 * those of most others.
 */
export function headerLines({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const raw = rawHeaders[i];
    if (raw && raw.length === name.length && raw.toLowerCase() === name) values.push(rawHeaders[i + 1] ?? "");
  }
  return values;
}
