import type { components } from "./generated/schema.ts";
import { retryAfterMs } from "./retry-after.ts";

type Schemas = components["schemas"];
type ErrorBody = Schemas["ApiError"]["error"];

/** Further details of an error. Its code decides which members there are. docs/guides/errors.md#the-error-body */
export type ErrorDetails = Partial<
  Schemas["ValidationDetails"] & Schemas["RateLimitDetails"] & Schemas["ForbiddenError"]["details"]
>;

/** One fault of a request. docs/guides/conventions.md#issues */
export type Issue = Schemas["Issue"];

/** A code of the API, or UNEXPECTED_ANSWER for another answer, such as one of a proxy. */
export type ErrorCode = ErrorBody["code"] | "UNEXPECTED_ANSWER";

/** An answer that is no success. docs/guides/errors.md */
export class ContactWorkspaceError extends Error {
  override readonly name = "ContactWorkspaceError";
  readonly code: ErrorCode;
  readonly status: number;
  /** Id with which the operator finds the request in the log of the server. */
  readonly requestId: string | undefined;
  readonly details: ErrorDetails | undefined;
  /** The faults of a 422; empty for other answers. */
  readonly issues: readonly Issue[];
  readonly documentationUrl: string | undefined;
  /** Seconds that the server asks to wait. */
  readonly retryAfterS: number | undefined;
  /** The present version of the record, in a 412. docs/guides/versions.md#conditions */
  readonly etag: string | undefined;

  /** @param body the body of the answer, as JSON where it is that */
  constructor(response: Response, body: unknown) {
    const error = errorOf(body);
    super(error?.message ?? `The server answered ${response.status} without a body of the API.`);
    const afterMs = retryAfterMs(response.headers, Date.now());
    this.code = error?.code ?? "UNEXPECTED_ANSWER";
    this.status = response.status;
    this.requestId = error?.requestId ?? response.headers.get("X-Request-Id") ?? undefined;
    this.details = error?.details;
    this.issues = error?.details?.issues ?? [];
    this.documentationUrl = error?.documentationUrl;
    this.etag = response.headers.get("ETag") ?? undefined;
    this.retryAfterS = afterMs === undefined ? undefined : Math.ceil(afterMs / 1000);
  }
}

/** The members that errors may have, whatever their code. */
type Told = Partial<Omit<ErrorBody, "details">> & { details?: ErrorDetails };

/** Member `error` of a body, whatever program has written it; undefined without one. */
function errorOf(body: unknown): Told | undefined {
  if (typeof body !== "object" || body === null || !("error" in body)) return undefined;
  return typeof body.error === "object" && body.error !== null ? (body.error as Told) : undefined;
}
