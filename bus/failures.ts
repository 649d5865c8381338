import type { Context, ServiceBroker } from "moleculer";
import { isApiError } from "../base/contract/errors.ts";
import { type TraceContext, traceIdOf } from "../base/tracing/trace-context.ts";
import { isAway } from "./away.ts";

type Handler = (ctx: Context) => Promise<unknown>;

/**
 * Logs an unexpected error of an action that another node has called. That node learns only that there was an error
 * (bus/regenerator.ts), so the request id leads to this line. A caller in the same process gets the error itself, and
 * logs it.
 */
export const logFailures = {
  name: "LogFailures",

  localAction(this: ServiceBroker, next: Handler): Handler {
    return (ctx) =>
      next(ctx).catch((error: unknown) => {
        if (ctx.nodeID !== this.nodeID) {
          // An ApiError is expected, unless it has a cause: then it is a 500 that was saved for replays.
          const failure = isApiError(error) ? error.cause : error;
          if (failure) log(this, ctx, failure);
        }
        throw error;
      });
  },
};

function log(broker: ServiceBroker, ctx: Context, error: unknown): void {
  const { trace }: { trace?: TraceContext } = ctx.meta;
  const traced = trace && { traceId: traceIdOf(trace) };
  const where = { action: ctx.action?.name, requestId: ctx.requestID, caller: ctx.nodeID, ...traced };
  if (isAway(error))
    broker.logger.warn(
      "An action failed because a part of the server does not answer:",
      (error as Error).message,
      where,
    );
  else broker.logger.error("An action failed:", error, where);
}
