import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../../../base/contract/caller.ts";
import { readTraceContext, type TraceContext } from "../../../base/tracing/trace-context.ts";
import type { Span } from "../../../base/tracing/tracer.ts";
import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import { apiKeyOf } from "../identity/api-key.ts";
import type { Tenants } from "../identity/tenants.ts";
import { decoded, type Found, type Matcher } from "../operation/router.ts";
import { headerLines } from "./head.ts";

/** A request on its way, and the answer that it will get. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** The request id, which ascends with the time. */
  id: Uuid;
  /** Its place in the trace that its client has begun; undefined without one. */
  trace: TraceContext | undefined;
  /** Its span, when requests are traced. */
  span: Span | undefined;
  /** When it came, in milliseconds of `performance.now()`. */
  begunMs: number;
  method: string;
  /** Path and query as they were sent, still percent-encoded. */
  path: string;
  query: string;
  /** Whether the path belongs to the API, so that nothing is answered without a key. */
  needsKey: boolean;
  /** The key that was sent to the API, valid or not. */
  apiKey: string | undefined;
  /** The workspace that the key had when it was used before; empty when that is not known (identity/tenants.ts). */
  tenant: string;
  /** Target of the path and the method; undefined when the path is not of the API. */
  found: Found | undefined;
  /** Whether it has an answer, so that it gets no other. */
  isAnswered: boolean;
  /** Headers that the answer will have beside its own: those of the quotas. */
  headers: Record<string, string | number>;
  /** Facts for the log and the metrics, as far as they are known (observation/answered.ts). */
  known: Known;
}

/** Facts about a request that are found out on its way. */
export interface Known {
  /** Sender of the request; requests without a valid key are not logged. */
  caller: Caller | undefined;
  idempotencyKey: string | undefined;
  /** Whether it is a write that is tried and not kept. */
  isPreview: boolean;
  /** The tool that an assistant has called, and the code of the error that it got for it. */
  tool: string | null;
  toolErrorCode: string | null;
}

/** Reads the request line, once for all stages. */
export function openExchange(
  { find, tenants }: Matcher & { tenants: Pick<Tenants, "of"> },
  request: IncomingMessage,
  response: ServerResponse,
): Exchange {
  const { method = "GET", url = "/" } = request;
  const [path, query] = splitTarget(url);
  const needsKey = isOfApi(path);
  const found = needsKey ? find(method, path) : undefined;
  const apiKey = needsKey ? apiKeyOf(request) : undefined;
  const tenant = apiKey === undefined ? "" : tenants.of(apiKey);
  const known = { caller: undefined, idempotencyKey: undefined, isPreview: false, tool: null, toolErrorCode: null };
  const trace = readTraceContext(headerLines(request, "traceparent"), () => headerLines(request, "tracestate"));
  const [id, begunMs] = [newUuid(), performance.now()];
  return {
    request,
    response,
    id,
    trace,
    span: undefined,
    begunMs,
    method,
    path,
    query,
    needsKey,
    apiKey,
    tenant,
    found,
    isAnswered: false,
    headers: {},
    known,
  };
}

/** Path and query of a request target, which may name the host too (RFC 9112, 3.2.2). */
function splitTarget(target: string): [path: string, query: string] {
  const url = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "");
  const at = url.indexOf("?");
  return at < 0 ? [url, ""] : [url.slice(0, at), url.slice(at + 1)];
}

/**
 * Whether a path is under /v1 or /mcp, known or not, and however the segment is encoded.
 * docs/guides/conventions.md#order-of-checks
 */
function isOfApi(path: string): boolean {
  const [before, first = ""] = path.split("/", 2);
  return before === "" && ["v1", "mcp"].includes(decoded(first) ?? "");
}
