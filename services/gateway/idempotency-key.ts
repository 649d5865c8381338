import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { IDEMPOTENCY_KEY_LENGTH_MAX } from "../../config/limits.ts";
import { canonicalDecimal } from "../../lib/decimal.ts";
import { ApiError } from "../../lib/errors.ts";
import type { SavedResponse } from "../../lib/idempotency.ts";
import { isExactNumber } from "../../lib/issues.ts";
import { headerLines } from "./head.ts";
import type { Parameter } from "./query-string.ts";
import { deprecationHeaders, JSON_HEADERS, type Reply } from "./reply.ts";
import type { Match } from "./router.ts";
import type { Deprecation } from "./routes.ts";

const FORM = new RegExp(`^[!-~]{1,${IDEMPOTENCY_KEY_LENGTH_MAX}}$`);

/**
 * The Idempotency-Key of a request, if it has one. Node joins repeated lines, so the raw ones are looked at.
 * @throws ApiError 400 for a key that is empty, repeated, too long, or not printable ASCII
 */
export function idempotencyKeyOf(request: IncomingMessage): string | undefined {
  const [key, second] = headerLines(request, "idempotency-key");
  if (key === undefined) return undefined;
  if (second === undefined && FORM.test(key)) return key;
  const message = `An Idempotency-Key is sent once and has 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} printable ASCII characters without blanks.`;
  throw new ApiError("IDEMPOTENCY_KEY_INVALID", message);
}

/**
 * What a request is, as a hash: the order of JSON keys and of parameters does not count, that of repeated values does, and
 * numbers of equal value are the same. API document, "Idempotency", rule 5; gaps 2.
 */
export function fingerprintOf({ route, path }: Match, query: Parameter[], body: unknown): string {
  const parameters = query
    .map(({ name, value }) => [name, value] as const)
    .sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  return createHash("sha256")
    .update(canonical([route.method, route.path, path, parameters, body]))
    .digest("hex");
}

/** The answer to a request whose key has a saved response. */
export function replay(saved: SavedResponse, fingerprint: string, deprecated: Deprecation | undefined): Reply {
  if (saved.fingerprint !== fingerprint) {
    throw new ApiError(
      "IDEMPOTENCY_KEY_REUSED",
      "This Idempotency-Key was used for a different request. Use a new key.",
    );
  }
  if (saved.body === null) {
    throw new ApiError(
      "IDEMPOTENCY_RESPONSE_NOT_STORED",
      "The request with this Idempotency-Key ran, but its response was too large to keep.",
    );
  }
  return {
    status: saved.status,
    body: saved.body,
    headers: { ...JSON_HEADERS, ...deprecationHeaders(deprecated), "Idempotent-Replayed": "true" },
  };
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
    return `{${entries.map(([name, entry]) => `${JSON.stringify(name)}:${canonical(entry)}`).join(",")}}`;
  }
  if (typeof value === "number") return canonicalDecimal(value) ?? String(value);
  if (typeof value === "string" && isExactNumber(value)) return canonicalDecimal(value) ?? value;
  return JSON.stringify(value);
}
