import type { IncomingMessage } from "node:http";
import type { Caller } from "../../../base/contract/caller.ts";
import { ApiError } from "../../../base/contract/errors.ts";
import { type Parameter, parseQuery } from "../../../base/contract/query-string.ts";
import type { RequestSlot } from "../admission/admission.ts";
import type { Deadline } from "../admission/deadline.ts";
import { idempotencyKeyOf } from "../claim/idempotency-key.ts";
import type { Exchange } from "../connection/exchange.ts";
import { headerLines } from "../connection/head.ts";
import { type Body, emptyBody, receiveBody } from "./body.ts";
import { wantsPreview } from "./preview.ts";
import { type Match, matchOf } from "./router.ts";
import { isWrite } from "./routes.ts";
import { checkVersion } from "./version.ts";

/** Operation of a request, before any schema has judged it. */
export interface Operation extends Match, Body {
  query: Parameter[];
  key: string | undefined;
  /** Whether it is a write that is tried and not kept. */
  isPreview: boolean;
  /** The header If-Match; undefined without one. */
  ifMatch: string | undefined;
  /** Whether parameters that a list does not know are refused. */
  isStrict: boolean;
}

/**
 * Reads what a request asks for, in the order of docs/guides/conventions.md#order-of-checks.
 * @throws ApiError 404, 405, 400, 403, 413, 503
 */
export async function readOperation(
  { request, method, path, query, found }: Exchange,
  caller: Caller,
  bounds: { place: RequestSlot; deadline: Deadline },
): Promise<Operation> {
  const match = matchOf(found, method, path);
  checkVersion(request);
  const key = isWrite(match.route) ? idempotencyKeyOf(request) : undefined;
  const isPreview = isWrite(match.route) && wantsPreview(request);
  if (caller.access === "read" && isWrite(match.route))
    throw new ApiError("FORBIDDEN", "This key can only read. Use a key with full access for writes.");
  const body = match.route.method === "GET" ? emptyBody() : await receiveBody(request, bounds);
  bounds.place.enter(match.route);
  const lines = headerLines(request, "if-match");
  const ifMatch = lines.length > 0 ? lines.join(", ") : undefined;
  return { ...match, ...body, query: parseQuery(query), key, isPreview, ifMatch, isStrict: wantsStrict(request) };
}

/** A quoted text, which may hold commas, a comma, or what stands between these. */
const PART = /"(?:[^"\\]|\\.)*"?|,|[^",]+/g;

/**
 * Whether a request wants parameters that a list does not know to be refused: `Prefer: handling=strict`. Only the first
 * instance of a preference counts (RFC 7240, 2). docs/guides/conventions.md#query-parameters
 */
function wantsStrict(request: IncomingMessage): boolean {
  for (const preference of preferencesOf(headerLines(request, "prefer").join(","))) {
    const [name = "", value = ""] = (preference.split(";", 1)[0] ?? "").split("=");
    if (name.trim().toLowerCase() === "handling") return value.replaceAll('"', "").trim().toLowerCase() === "strict";
  }
  return false;
}

function preferencesOf(header: string): string[] {
  const preferences = [""];
  for (const [part] of header.matchAll(PART)) {
    if (part === ",") preferences.push("");
    else preferences[preferences.length - 1] += part;
  }
  return preferences;
}
