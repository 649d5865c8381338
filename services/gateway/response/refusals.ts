import { type ApiError, AWAY, type ErrorCode } from "../../../base/contract/errors.ts";

/** The errors by which a request is refused for what it is or for the state of the server, as the metrics name the reason. */
const REASONS: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED: "unauthorized",
  FORBIDDEN: "forbidden",
  TOO_MANY_REQUESTS: "rate_limit",
  PAYLOAD_TOO_LARGE: "body_too_large",
  REQUEST_TIMEOUT: "timeout",
  SERVICE_UNAVAILABLE: "overload",
  IDEMPOTENCY_UNAVAILABLE: "away",
};

/** Why a request is refused; undefined for an error of another kind. A 503 is for what is away, or for too much at once. */
export function refusalReason({ type, message }: Pick<ApiError, "type" | "message">): string | undefined {
  return type === "SERVICE_UNAVAILABLE" && message === AWAY ? "away" : REASONS[type];
}
