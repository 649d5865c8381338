import type { Context, ServiceBroker } from "moleculer";
import { isApiError } from "../lib/contract/errors.ts";
import { isAway } from "./away.ts";

type Handler = (ctx: Context) => Promise<unknown>;

/**
 * Logs an unexpected error of an action that another node called: the caller only learns that there was one
 * (bus/regenerator.ts), and finds it here by the request id. Local callers get the error itself.
 */
export const logFailures = {
  name: "LogFailures",

  localAction(this: ServiceBroker, next: Handler): Handler {
    return (ctx) =>
      next(ctx).catch((error: unknown) => {
        if (ctx.nodeID !== this.nodeID) {
          // A 500 that was saved for replays is an ApiError with the failure behind it.
          const failure = isApiError(error) ? error.cause : error;
          if (failure) log(this, ctx, failure);
        }
        throw error;
      });
  },
};

function log(broker: ServiceBroker, ctx: Context, error: unknown): void {
  const where = { action: ctx.action?.name, requestId: ctx.requestID, caller: ctx.nodeID };
  if (isAway(error)) broker.logger.warn("An action failed since something is away:", (error as Error).message, where);
  else broker.logger.error("An action failed:", error, where);
}
