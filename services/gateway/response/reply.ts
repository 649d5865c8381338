import type { IncomingMessage, ServerResponse } from "node:http";
import { type Answer, answered } from "../../../base/contract/answer.ts";
import type { SavedResponse } from "../../../base/contract/claim.ts";
import { type ApiError, AWAY, ERRORS, type ErrorCode } from "../../../base/contract/errors.ts";
import { dataBody, errorBody } from "../../../base/contract/reply.ts";
import type { Exchange } from "../connection/exchange.ts";
import { API_VERSION } from "../operation/version.ts";
import { deprecationHeaders } from "./deprecations.ts";

/** An answer before it is sent, which takes its body away. */
export interface Reply {
  status: number;
  body: string | Buffer;
  headers: Record<string, string | number>;
  /** Why it refuses the request, for the metrics; undefined when it does not. */
  refusal?: string | undefined;
  /**
   * Takes over an answer that stays open, when its head is written. Also called when the client has gone by then, so
   * that what is held for it is given back.
   */
  open?: (response: ServerResponse) => void;
}

/**
 * Longer texts are turned into bytes before they are counted and sent: each of both would go through all of them
 * otherwise.
 */
const LONG_TEXT = 16 * 1024;

/** Up to this size Node reads an unread body to its end, and the connection stays open. */
const UNREAD_BYTES_MAX = 64 * 1024;

/**
 * Time for which a client that got a 413 may go on sending before the connection is closed. docs/guides/limits.md#sizes
 */
const LINGER_MS = 5000;

export const JSON_HEADERS = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" };

/**
 * Puts what an action has made into `{ data }`, with what stands beside it, and adds what is said of a deprecated
 * operation.
 * docs/guides/conventions.md#deprecations
 * @param deprecations JSON text of a list; undefined when nothing is deprecated
 */
export function dataReply(answer: Answer, deprecations?: string): Reply {
  const { etag } = answered(answer);
  return {
    status: 200,
    body: dataBody(answer, deprecations),
    headers: { ...JSON_HEADERS, ...(etag !== undefined && { ETag: etag }) },
  };
}

/**
 * The data of a list: the JSON text of its entries, the link to the next page when there is one, and the cursor to go
 * on from later, of a list that has one. docs/guides/lists.md#lists
 */
export function listData(
  items: string,
  { nextLink, cursor }: { nextLink: string | null; cursor: string | undefined },
): string {
  const pagination = JSON.stringify(nextLink === null ? {} : { nextLink });
  const goOn = cursor === undefined ? "" : `,"cursor":"${cursor}"`;
  return `{"items":${items},"pagination":${pagination}${goOn}}`;
}

/** The answer to a write that ran before under its Idempotency-Key. docs/guides/idempotency.md#replays */
export function replayed({ status, body }: SavedResponse): Reply {
  return { status, body: body ?? "", headers: { ...JSON_HEADERS, "Idempotent-Replayed": "true" } };
}

/** The answer to an error; one that was saved for replays is sent with the bytes that were saved. */
export function errorReply(error: ApiError, requestId: string, publicUrl: string): Reply {
  const body = error.data.body ?? errorBody(error, requestId, publicUrl);
  const headers = { ...JSON_HEADERS, ...error.data.headers };
  return { status: ERRORS[error.type].status, body, headers, refusal: refusalReason(error) };
}

/** The answer to a probe: one line. */
export function textReply(status: number, line: string): Reply {
  return {
    status,
    body: `${line}\n`,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  };
}

/** Turns the body of an answer into bytes when it is long. */
export function encodeLong(reply: Reply): void {
  if (typeof reply.body === "string" && reply.body.length > LONG_TEXT) reply.body = Buffer.from(reply.body);
}

/**
 * Sends an answer, and takes its body away, for the reason that `takeItems` tells. When the body of the request has not
 * been read, it is read and dropped before the connection is closed.
 * @returns how many bytes of a body were handed over
 */
export function send(exchange: Exchange, reply: Reply, isDraining: boolean): number {
  const { request, response } = exchange;
  const { body, open } = reply;
  if (response.headersSent || response.destroyed) {
    open?.(response);
    return 0;
  }
  reply.body = "";
  const length = Buffer.byteLength(body);
  const unread = !request.complete && (hasLargeBody(request) || mayNotBeSent(request));
  const headers: Record<string, string | number> = {
    ...reply.headers,
    ...(!open && reply.status !== 304 && { "Content-Length": length }),
    "X-Request-Id": exchange.id,
    "X-API-Version": API_VERSION,
    "X-Content-Type-Options": "nosniff",
    ...deprecationHeaders(exchange.found?.route?.deprecated),
    ...exchange.headers,
    ...((unread || isDraining) && { Connection: "close" }),
  };
  response.writeHead(reply.status, headers);
  if (open) {
    open(response);
    return 0;
  }
  const sent = request.method === "HEAD" ? 0 : length;
  if (!unread) {
    response.end(body);
    return sent;
  }
  // Closing a socket with unread bytes resets it, and the client may lose the answer that is on its way.
  response.write(request.method === "HEAD" ? "" : body);
  const end = () => response.end();
  const timer = setTimeout(end, LINGER_MS);
  request.once("end", () => {
    clearTimeout(timer);
    end();
  });
  request.once("close", () => clearTimeout(timer));
  request.resume();
  return sent;
}

/**
 * Whether the client may leave its body away when it gets an error first. The beginning of the next request is then
 * unknown.
 */
function mayNotBeSent({ headers }: IncomingMessage): boolean {
  return headers.expect !== undefined;
}

function hasLargeBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > UNREAD_BYTES_MAX;
}

/** Errors that refuse a request because of its form or the state of the server, with the reason in the metrics. */
const REASONS: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED: "unauthorized",
  FORBIDDEN: "forbidden",
  TOO_MANY_REQUESTS: "rate_limit",
  PAYLOAD_TOO_LARGE: "body_too_large",
  REQUEST_TIMEOUT: "timeout",
  SERVICE_UNAVAILABLE: "overload",
  IDEMPOTENCY_UNAVAILABLE: "away",
};

/**
 * Reason why a request is refused; undefined for an error of another kind. A 503 means a part that does not answer, or
 * overload.
 */
function refusalReason({ type, message }: Pick<ApiError, "type" | "message">): string | undefined {
  return type === "SERVICE_UNAVAILABLE" && message === AWAY ? "away" : REASONS[type];
}
