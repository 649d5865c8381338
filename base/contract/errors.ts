import { RETRY_AFTER_S } from "../../config/limits.ts";
import { type Issue, told } from "./issues.ts";

/**
 * Every error of the product: code → HTTP status and section of the page /docs/errors. docs/guides/errors.md#codes.
 * NOT_FOUND is the code of one record in a batch, RESOURCE_NOT_FOUND that of a whole request.
 */
export const ERRORS = {
  INVALID_REQUEST: { status: 400, anchor: "bad-request" },
  IDEMPOTENCY_KEY_INVALID: { status: 400, anchor: "idempotency-key-invalid" },
  UNAUTHORIZED: { status: 401, anchor: "unauthorized" },
  FORBIDDEN: { status: 403, anchor: "forbidden" },
  RESOURCE_NOT_FOUND: { status: 404, anchor: "not-found" },
  NOT_FOUND: { status: 404, anchor: "not-found" },
  METHOD_NOT_ALLOWED: { status: 405, anchor: "method-not-allowed" },
  REQUEST_TIMEOUT: { status: 408, anchor: "request-timeout" },
  IDEMPOTENCY_REQUEST_IN_PROGRESS: { status: 409, anchor: "idempotency-request-in-progress" },
  PRECONDITION_FAILED: { status: 412, anchor: "precondition-failed" },
  PAYLOAD_TOO_LARGE: { status: 413, anchor: "payload-too-large" },
  UNPROCESSABLE_ENTITY: { status: 422, anchor: "unprocessable-entity" },
  IDEMPOTENCY_KEY_REUSED: { status: 422, anchor: "idempotency-key-reused" },
  IDEMPOTENCY_RESPONSE_NOT_STORED: { status: 422, anchor: "idempotency-response-not-stored" },
  TOO_MANY_REQUESTS: { status: 429, anchor: "rate-limiting" },
  INTERNAL_SERVER_ERROR: { status: 500, anchor: "internal-server-error" },
  SERVICE_UNAVAILABLE: { status: 503, anchor: "service-unavailable" },
  IDEMPOTENCY_UNAVAILABLE: { status: 503, anchor: "idempotency-unavailable" },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** Details of an error that a client sees besides code and message: `issues` of a 422, the policy of a 429, … */
export interface ErrorDetails {
  issues?: Issue[];
  [name: string]: unknown;
}

/**
 * An error that a client can cause and may read. Everything else becomes a bare 500 with a request id.
 * It crosses the bus as a plain object of name, code, type and data, and has lost its class then: `isApiError` knows
 * it, and `instanceof` does not.
 */
export class ApiError extends Error {
  override name = "ApiError";
  readonly type: ErrorCode;
  readonly code: number;
  readonly data: {
    details?: ErrorDetails;
    headers?: Record<string, string>;
    /** The body of the answer, which was saved for replays (engine/idempotency/run-once.ts) and is sent as it is. */
    body?: string;
    /** Whether it is never saved for replays. docs/guides/idempotency.md#what-is-not-saved */
    unsaved?: boolean;
  };

  /** @param headers further headers of the answer, `Retry-After` and `Allow` for example */
  constructor(type: ErrorCode, message: string, details?: ErrorDetails, headers?: Record<string, string>) {
    super(message);
    this.type = type;
    this.code = ERRORS[type].status;
    this.data = { ...(details && { details }), ...(headers && { headers }) };
  }
}

/** Whether this is an ApiError, also one that came over the bus and lost its class. */
export function isApiError(error: unknown): error is ApiError {
  if (typeof error !== "object" || error === null) return false;
  const { name, type } = error as { name?: unknown; type?: unknown };
  return name === "ApiError" && typeof type === "string" && Object.hasOwn(ERRORS, type);
}

/**
 * The 404 of an id in a path. An unknown id, one of another workspace and one that the caller cannot see have the same
 * words, so that a caller cannot find out what exists elsewhere. docs/guides/values.md#identifiers
 */
export function notFound(what: string, id: string): ApiError {
  return new ApiError("RESOURCE_NOT_FOUND", `There is no ${what} with the id ${id}.`);
}

/** Message of a 503 about something that is away. */
export const AWAY = "The service is not available right now. Try again.";

/**
 * The 503 for a part of the server that does not answer, takes too long, or is overloaded.
 * docs/guides/conventions.md#when-something-is-away
 */
export function unavailable(message = AWAY): ApiError {
  return new ApiError("SERVICE_UNAVAILABLE", message, undefined, { "Retry-After": String(RETRY_AFTER_S) });
}

/**
 * The 422 of a schema or a rule, with all its issues; the message names the first. docs/guides/conventions.md#issues
 */
export function unprocessable(issues: Issue[]): ApiError {
  const shown = told(issues);
  return new ApiError("UNPROCESSABLE_ENTITY", summary(shown[0], issues.length), { issues: shown });
}

function summary(first: Issue | undefined, count: number): string {
  if (!first) return "The request is not valid.";
  const place = first.path.length === 0 ? "" : `${first.path.join(".")}: `;
  const more = count > 1 ? ` (and ${count - 1} more)` : "";
  return `${place}${first.message}${more}`.slice(0, 1000);
}

/**
 * Marks an error as one that is not saved for replays, and gives it back. docs/guides/idempotency.md#what-is-not-saved
 */
export function unsaved(error: ApiError): ApiError {
  error.data.unsaved = true;
  return error;
}
