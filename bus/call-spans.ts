import type { Context, Middleware, ServiceBroker } from "moleculer";
import type { TraceContext } from "../base/tracing/trace-context.ts";
import { inSpan, tracerInUse } from "../base/tracing/tracer.ts";

type Handler = (ctx: Context<unknown, { trace?: TraceContext }>) => Promise<unknown>;

/**
 * Makes a span of each call, here and on the other node, which gets the context of the trace with the call. A call
 * outside of any trace that is recorded begins none. It belongs into the broker only where calls are traced.
 * docs/guides/monitoring.md#traces
 */
export const callSpans: Middleware = {
  name: "CallSpans",

  localAction(this: ServiceBroker, next: Handler, { name = "" }: { name?: string }): Handler {
    return (ctx) => {
      const tracer = tracerInUse();
      const parent = ctx.nodeID === this.nodeID ? undefined : ctx.meta.trace;
      if (!tracer || !(parent || tracer.isRecording())) return next(ctx);
      const kind = parent ? "server" : "internal";
      return inSpan(tracer, { name, kind, attributes: attributesOf(name), parent }, () => next(ctx));
    };
  },

  remoteAction(next: Handler, { name = "" }: { name?: string }): Handler {
    return (ctx) => {
      const tracer = tracerInUse();
      if (!tracer?.isRecording()) return next(ctx);
      return inSpan(tracer, { name, kind: "client", attributes: attributesOf(name) }, (trace) => {
        ctx.meta = { ...ctx.meta, trace };
        return next(ctx);
      });
    };
  },
};

function attributesOf(name: string) {
  return { "rpc.system.name": "moleculer", "rpc.method": name };
}
