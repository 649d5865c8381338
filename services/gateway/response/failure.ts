import type { Service } from "moleculer";
import { isAway } from "../../../bus/away.ts";
import { ApiError, isApiError, unavailable } from "../../../lib/contract/errors.ts";

/** Any error as what a client may see of it: what is ours as it is, what is away as 503, everything else as a bare 500 and a log line. */
export function toApiError(error: unknown, requestId: string, logger: Service["logger"]): ApiError {
  if (isApiError(error)) {
    // The transaction that saved a 500 for replays has told nobody yet what it was.
    if (error.cause) logger.error("A request failed:", error.cause, { requestId });
    return error;
  }
  if (isAway(error)) {
    logger.warn("A request failed since something is away:", (error as Error).message, { requestId });
    return unavailable();
  }
  logger.error("A request failed:", error, { requestId });
  return new ApiError("INTERNAL_SERVER_ERROR", "Something went wrong here. Name the requestId when you report it.");
}
