import { traceIdFor, traceIdOf } from "../../../base/tracing/trace-context.ts";
import { tracerInUse } from "../../../base/tracing/tracer.ts";
import type { Exchange } from "../connection/exchange.ts";
import type { Ending } from "./access-log.ts";
import type { Answered } from "./answered.ts";

/** Methods that the semantic conventions of OpenTelemetry know. Another one, which may be any text, is `_OTHER`. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY"]);

/**
 * The same work, as part of the span of its request. While nothing is traced it is the work itself. A request that
 * came without a trace begins one, whose id is made of the request id.
 * docs/guides/monitoring.md#traces
 */
export function inRequestSpan(exchange: Exchange, work: () => void): () => void {
  const tracer = tracerInUse();
  if (!tracer) return work;
  const { id, trace, found } = exchange;
  const method = METHODS.has(exchange.method) ? exchange.method : "_OTHER";
  const route = found?.route?.path;
  const span = tracer.begin({
    name: route === undefined ? method : `${method} ${route}`,
    kind: "server",
    attributes: {
      "http.request.method": method,
      "contact_workspace.request.id": id,
      ...(route !== undefined && { "http.route": route }),
    },
    ...(trace ? { parent: trace } : { traceId: traceIdFor(id) }),
  });
  Object.assign(exchange, { span, trace: span.context });
  return () => tracer.within(span, work);
}

/** Ends the span of a request that is over. Only an error of the server makes it a failed one. */
export function endRequestSpan(
  { span }: Pick<Exchange, "span">,
  { caller, tool }: Answered,
  { status, isAborted }: Ending,
): void {
  span?.end({
    attributes: {
      "http.response.status_code": status,
      ...(caller && { "contact_workspace.workspace.id": caller.workspaceId }),
      ...(tool !== null && { "gen_ai.tool.name": tool }),
    },
    errorType: isAborted ? "client_gone" : status >= 500 ? String(status) : undefined,
  });
}

/** Trace id of a request for the lines of the log; undefined without one. */
export function traceIdInLog({ trace }: Pick<Exchange, "trace">): { traceId: string } | undefined {
  return trace && { traceId: traceIdOf(trace) };
}
