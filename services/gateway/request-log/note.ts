import type { Exchange } from "../connection/exchange.ts";
import type { Reply } from "../response/reply.ts";
import type { RequestLog } from "./request-log.ts";

/** The beginning of the body of every error (lib/contract/reply.ts), also of one that was saved for replays. */
const ERROR = /^\{"error":\{"code":"([A-Z_]+)"/;

/**
 * Notes how a request was answered, when it is known whose it is. Neither its path nor its body are noted: the route, and what is
 * known by the codes of the API. docs/guides/request-log.md
 */
export function noteAnswer(log: RequestLog, exchange: Exchange, { status, body }: Reply): void {
  const { id, begunMs, method, path, found, headers, known } = exchange;
  const { caller, idempotencyKey, tool, toolErrorCode } = known;
  if (!caller) return;
  log.add({
    id,
    caller,
    method,
    route: found?.route?.path ?? (path === "/mcp" ? path : null),
    tool,
    status,
    errorCode: status < 400 ? toolErrorCode : (ERROR.exec(beginningOf(body))?.[1] ?? null),
    durationMs: performance.now() - begunMs,
    idempotencyKey,
    rateLimitRemaining: (headers["X-RateLimit-Remaining"] as number | undefined) ?? null,
  });
}

function beginningOf(body: string | Buffer): string {
  return typeof body === "string" ? body.slice(0, 100) : body.toString("latin1", 0, 100);
}
