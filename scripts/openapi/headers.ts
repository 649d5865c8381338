import { CURSOR_LENGTH_MAX, IDEMPOTENCY_KEY_LENGTH_MAX } from "../../config/limits.ts";
import { API_VERSION } from "../../services/gateway/operation/version.ts";
import type { Schema } from "./schemas.ts";

const integer = { type: "integer", minimum: 0 };
const httpDate = {
  type: "string",
  pattern: "^[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$",
  examples: ["Sat, 13 Feb 2027 00:00:00 GMT"],
};

const WITH_QUOTA = "Absent if rate limits are off.";

/**
 * Headers of answers, by the name of their component. docs/guides/conventions.md#answers, docs/guides/limits.md#headers
 */
export const HEADERS = {
  "X-Request-Id": always("Names this request in logs; equal to `error.requestId`", { type: "string", format: "uuid" }),
  "X-API-Version": always("The version that answered", { type: "string", const: API_VERSION }),
  "X-RateLimit-Limit": header(`Requests in the default window. ${WITH_QUOTA}`, integer),
  "X-RateLimit-Remaining": header(`Requests left in the default window. ${WITH_QUOTA}`, integer),
  "X-RateLimit-Reset": header(
    `When the oldest counted request leaves the default window, in seconds since 1970. ${WITH_QUOTA}`,
    integer,
  ),
  "X-RateLimit-Limit-Burst": header(`Requests in the burst window. ${WITH_QUOTA}`, integer),
  "X-RateLimit-Remaining-Burst": header(`Requests left in the burst window. ${WITH_QUOTA}`, integer),
  "X-RateLimit-Reset-Burst": header(
    `When the oldest counted request leaves the burst window, in seconds since 1970. ${WITH_QUOTA}`,
    integer,
  ),
  "RateLimit-Policy": header(`The quotas and their windows in seconds. ${WITH_QUOTA}`, {
    type: "string",
    pattern: `^${list('"\\w+";q=\\d+;w=\\d+')}$`,
    examples: ['"default";q=600;w=60, "burst";q=20;w=2'],
  }),
  RateLimit: header(`Rest of the quotas, and the seconds until there is more. ${WITH_QUOTA}`, {
    type: "string",
    pattern: `^${list('"\\w+";r=\\d+;t=\\d+')}$`,
    examples: ['"default";r=599;t=60, "burst";r=19;t=2'],
  }),
  "Retry-After": always("Seconds after which a retry makes sense", { type: "integer", minimum: 1 }),
  "WWW-Authenticate": always("How to authenticate", { type: "string", const: "Bearer" }),
  "Idempotent-Replayed": header(
    "`true` when this is the saved answer to an earlier request with the same Idempotency-Key",
    { type: "string", const: "true" },
  ),
  ETag: header("The version of the record. `If-Match` takes it. Absent from replays and previews", {
    type: "string",
    pattern: '^"[!#-~]{1,62}"$',
    examples: ['"0199e7a15f6e7c3b8a572f6f3c1d9b10-3"'],
  }),
  "Dry-Run": header("`true` when this is the answer to a preview", { type: "string", const: "true" }),
  "Ignored-Parameters": header(
    "The parameters of the query that the list does not know, percent-encoded where a header could not hold them. Absent when it knows all of them",
    { type: "string", pattern: `^${list("[!#-+.-~-]+")}$`, examples: ["query, sort"] },
  ),
  "Preference-Applied": header("Says that parameters that the list does not know would have been refused", {
    type: "string",
    const: "handling=strict",
  }),
  Deprecation: header("Since when the operation is deprecated. Absent when it is not", httpDate),
  Sunset: header("When the operation may go away. Absent when it stays", httpDate),
} satisfies Record<string, Schema>;

export type HeaderName = keyof typeof HEADERS;

/** The headers of every answer. */
export const ALWAYS: HeaderName[] = ["X-Request-Id", "X-API-Version"];

/** The further headers of every answer to a valid key. */
export const QUOTA: HeaderName[] = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-RateLimit-Limit-Burst",
  "X-RateLimit-Remaining-Burst",
  "X-RateLimit-Reset-Burst",
  "RateLimit-Policy",
  "RateLimit",
];

/** The headers of a page of a list. docs/guides/conventions.md#query-parameters */
export const LIST: HeaderName[] = ["Ignored-Parameters", "Preference-Applied"];

/** The headers of every answer of a deprecated operation, also of refusals. docs/guides/conventions.md#deprecations */
export const DEPRECATED: HeaderName[] = ["Deprecation", "Sunset"];

/** The header of every answer to a preview, also of refusals. docs/guides/preview.md#the-answer */
export const PREVIEW: HeaderName[] = ["Dry-Run"];

/** References to header components. */
export function headerRefs(names: HeaderName[]): Schema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Parameters that many operations share, by the name of their component. */
export const PARAMETERS: Record<string, Schema> = {
  ApiVersion: {
    name: "X-API-Version",
    in: "header",
    description: "The version that you were written for. Absent: the latest.",
    schema: { type: "string", enum: [API_VERSION, "2025-05-26"], default: API_VERSION },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Makes retries safe: the second request with a key gets the answer of the first. A new UUID for every new request is best.",
    schema: {
      type: "string",
      minLength: 1,
      maxLength: IDEMPOTENCY_KEY_LENGTH_MAX,
      pattern: "^[!-~]+$",
    },
  },
  DryRun: {
    name: "Dry-Run",
    in: "header",
    description:
      "`true` tries the write and keeps nothing. The answer is the one that the write would have, with `changes`, the events that it would make.",
    schema: { type: "string", enum: ["true"] },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description: "Versions of the record, as `ETag` names them, with commas between. Any other present version is 412.",
    schema: { type: "string", examples: ['"0199e7a15f6e7c3b8a572f6f3c1d9b10-3"'] },
  },
  Prefer: {
    name: "Prefer",
    in: "header",
    description:
      "`handling=strict` makes parameters that the list does not know 422. Without it they are named in the header `Ignored-Parameters`.",
    schema: { type: "string", examples: ["handling=strict"] },
  },
  LastEventId: {
    name: "Last-Event-ID",
    in: "header",
    description: "For a stream: the id of the last event that was read. The stream continues after it.",
    schema: { type: "string", maxLength: CURSOR_LENGTH_MAX },
  },
  Cursor: {
    name: "cursor",
    in: "query",
    description:
      "Start of the page: the cursor of the `nextLink` of the page before. All other parameters except `limit` must be the same.",
    schema: { type: "string", maxLength: CURSOR_LENGTH_MAX },
  },
};

/** A pattern of one or more entries of a header field. */
function list(entry: string): string {
  return `${entry}(, ${entry})*`;
}

/** A header that is never missing where it is described. */
function always(description: string, schema: Schema): Schema {
  return { description, required: true, schema };
}

function header(description: string, schema: Schema): Schema {
  return { description, schema };
}
