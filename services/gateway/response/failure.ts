import type { Service } from "moleculer";
import { ApiError, isApiError, unavailable } from "../../../base/contract/errors.ts";
import { isAway } from "../../../bus/away.ts";

/**
 * Turns any error into the answer that a client may see. An ApiError stays as it is; an error about a part that does
 * not answer becomes a 503; all others become a 500 without details, and are logged.
 * docs/guides/conventions.md#when-something-is-away
 */
export function toApiError(error: unknown, requestId: string, logger: Service["logger"]): ApiError {
  if (isApiError(error)) {
    // An ApiError with a cause is a 500 that was saved for replays. Its cause is not logged yet.
    if (error.cause) logger.error("A request failed:", error.cause, { requestId });
    return error;
  }
  if (isAway(error)) {
    logger.warn("A request failed because a part of the server does not answer:", (error as Error).message, {
      requestId,
    });
    return unavailable();
  }
  logger.error("A request failed:", error, { requestId });
  return new ApiError("INTERNAL_SERVER_ERROR", "Something went wrong here. Name the requestId when you report it.");
}
