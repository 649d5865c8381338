import { traceIdOf } from "../../../base/tracing/trace-context.ts";
import type { Exchange } from "../connection/exchange.ts";
import type { Pages } from "../pages/pages.ts";
import type { AnsweredRequest } from "../request-log/request-logs.queries.ts";
import type { Reply } from "../response/reply.ts";

/** A request and how it was answered: what the log of requests, the access log and the metrics tell of it. */
export interface Answered extends Omit<AnsweredRequest, "caller"> {
  /** Undefined without a valid key. */
  caller: Exchange["known"]["caller"];
  /** Null when the request is not part of a trace. */
  traceId: string | null;
}

/** The beginning of the body of every error (base/contract/reply.ts), also of one that was saved for replays. */
const ERROR = /^\{"error":\{"code":"([A-Z_]+)"/;

/**
 * Facts about an exchange whose answer is about to be sent. They hold neither its path nor its query nor its body, but
 * the route, which is a pattern of the table or the path of a page, and the codes of the API.
 */
export function answeredOf({ pages }: { pages: Pick<Pages, "has"> }, exchange: Exchange, reply: Reply): Answered {
  const { id, trace, begunMs, method, path, found, headers, known } = exchange;
  const { caller, idempotencyKey, isPreview, tool, toolErrorCode } = known;
  return {
    id,
    traceId: trace ? traceIdOf(trace) : null,
    caller,
    method,
    route: found?.route?.path ?? (path === "/mcp" || pages.has(path) ? path : null),
    tool,
    status: reply.status,
    errorCode: reply.status < 400 ? toolErrorCode : (ERROR.exec(beginningOf(reply.body))?.[1] ?? null),
    durationMs: performance.now() - begunMs,
    idempotencyKey,
    isPreview,
    rateLimitRemaining: (headers["X-RateLimit-Remaining"] as number | undefined) ?? null,
  };
}

/**
 * Whether it is known who has sent a request, so that it belongs into the log of their workspace.
 * docs/guides/request-log.md
 */
export function isIdentified(answered: Answered): answered is Answered & AnsweredRequest {
  return answered.caller !== undefined;
}

/** Whether a client is there no more, so that nothing can be sent to it. */
export function isGone({ request, response }: Pick<Exchange, "request" | "response">): boolean {
  return response.destroyed || request.socket.destroyed;
}

function beginningOf(body: string | Buffer): string {
  return typeof body === "string" ? body.slice(0, 100) : body.toString("latin1", 0, 100);
}
