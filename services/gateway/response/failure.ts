import type { Service } from "moleculer";
import { ApiError, isApiError, unavailable } from "../../../base/contract/errors.ts";
import { isAway } from "../../../bus/away.ts";

/** Ids of a request in lines of the log. */
interface Ids {
  requestId: string;
  /** Not there when the request is part of no trace. */
  traceId?: string;
}

/**
 * Turns any error into the answer that a client may see. An ApiError stays as it is; an error about a part that does
 * not answer becomes a 503; all others become a 500 without details, and are logged.
 * docs/guides/conventions.md#when-something-is-away
 */
export function toApiError(error: unknown, ids: Ids, logger: Service["logger"]): ApiError {
  if (isApiError(error)) {
    // An ApiError with a cause is a 500 that was saved for replays. Its cause is not logged yet.
    if (error.cause) logger.error("A request failed:", error.cause, ids);
    return error;
  }
  if (isAway(error)) {
    logger.warn("A request failed because a part of the server does not answer:", (error as Error).message, ids);
    return unavailable();
  }
  logger.error("A request failed:", error, ids);
  return new ApiError("INTERNAL_SERVER_ERROR", "Something went wrong here. Name the requestId when you report it.");
}
