import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Service } from "moleculer";
import type { Caller } from "../../lib/contract/caller.ts";
import type { Claim, SavedResponse } from "../../lib/contract/claim.ts";
import { ApiError, unavailable } from "../../lib/contract/errors.ts";
import type { Decision } from "../../lib/rate-limits/windows.ts";
import { type Admission, FULL, type Place } from "./admission/admission.ts";
import { type Deadline, startDeadline } from "./admission/deadline.ts";
import type { Pace } from "./admission/pace.ts";
import { fingerprintOf } from "./claim/fingerprint.ts";
import { idempotencyKeyOf, replay } from "./claim/idempotency-key.ts";
import { checkVersion, keyOf } from "./connection/head.ts";
import type { Quotas } from "./identity/quota.ts";
import { readBody } from "./operation/body.ts";
import { type ParamsSchema, readInput } from "./operation/input.ts";
import { parseQuery } from "./operation/query-string.ts";
import { decoded, type Match, type Matcher, unknownPath } from "./operation/router.ts";
import type { Route } from "./operation/routes.ts";
import type { CursorSeal } from "./response/cursor.ts";
import { toApiError } from "./response/failure.ts";
import { dataReply, errorReply, listReply, type Reply, send } from "./response/reply.ts";

/** So many wait to be begun: a third of a second, which leaves the rest of one to the database. The next is refused. */
const STARTS_WAITING_MAX = 500;

/** What the pipeline needs of the gateway service. */
export interface Gateway extends Matcher {
  publicUrl: string;
  /** Whether the process is about to stop: every answer then asks its client to close the connection. */
  isDraining(): boolean;
  logger: Service["logger"];
  seal: CursorSeal;
  admission: Admission;
  /** When requests are begun, and when others are refused. A refused client sends its next request at once. */
  starts: Pace;
  refusals: Pace;
  identify(key: string): Promise<Caller | null> | Caller;
  /** What a request without a valid key is answered with. */
  refuse(request: IncomingMessage): ApiError;
  /** Undefined when limits are off. */
  quotas: Quotas | undefined;
  take(caller: Caller): Promise<Decision | null>;
  /** How long saved responses are kept. */
  idempotencyTtlS: number;
  /** The response that is saved under an Idempotency-Key; 503 when that cannot be known. */
  look(caller: Caller, key: string): Promise<SavedResponse | null>;
  /** The params schema of an action; undefined while nobody has announced it yet. */
  schemaOf(action: string): ParamsSchema | undefined;
  call(action: string, params: object, caller: Caller, requestId: string): Promise<unknown>;
  /** Pages without a key, which are no part of the API: probes, documentation. Undefined for other paths. */
  page(method: string, path: string): Promise<Reply> | Reply | undefined;
}

/** A request on its way: what it is, and the headers that its answer has gathered. */
interface Exchange {
  request: IncomingMessage;
  id: string;
  path: string;
  query: string;
  headers: Record<string, string | number>;
  deadline: Deadline;
}

/**
 * Begins with a request, in its turn, or refuses it at the door: when there is no place for its kind, or too many
 * wait before it. To refuse it here is half of the work of finding out first who asks, and under ten times the load there
 * are nine of these to one other. Probes and pages are not held up.
 */
export function receive(gateway: Gateway, request: IncomingMessage, response: ServerResponse, begin: () => void): void {
  const [path] = cut(request.url ?? "/");
  if (!needsKey(path)) begin();
  else if (
    gateway.starts.waiting() >= STARTS_WAITING_MAX ||
    gateway.admission.isFull(gateway.find(request.method ?? "GET", path))
  )
    gateway.refusals.run(() => refuse(gateway, request, response));
  else gateway.starts.run(begin);
}

function refuse(gateway: Gateway, request: IncomingMessage, response: ServerResponse): void {
  const id = randomUUID();
  send(request, response, errorReply(FULL, id, gateway.publicUrl), id, {}, gateway.isDraining());
}

/** Answers one request, whatever it is. Never rejects. */
export async function serve(gateway: Gateway, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // The framework takes a slash off `url` where there are two; what was asked for stands in `originalUrl`.
  const { url = "/", originalUrl = url } = request as IncomingMessage & { originalUrl?: string };
  const [path = "", query = ""] = cut(originalUrl);
  const exchange: Exchange = { request, id: randomUUID(), path, query, headers: {}, deadline: startDeadline() };
  let reply: Reply;
  try {
    reply = await Promise.race([admit(gateway, exchange), exchange.deadline.passed]);
  } catch (error) {
    reply = errorReply(toApiError(error, exchange.id, gateway.logger), exchange.id, gateway.publicUrl);
  }
  exchange.deadline.clear();
  send(request, response, reply, exchange.id, exchange.headers, gateway.isDraining());
}

/** A request holds its place until it is over, also when its client has been told 503 meanwhile. */
async function admit(gateway: Gateway, exchange: Exchange): Promise<Reply> {
  const place = gateway.admission.arrive();
  try {
    return await answer(gateway, exchange, place);
  } finally {
    place.leave();
  }
}

/** Answers a request that the framework failed on before it came here. */
export function fail(gateway: Gateway, request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const id = randomUUID();
  const reply = errorReply(toApiError(error, id, gateway.logger), id, gateway.publicUrl);
  send(request, response, reply, id, {}, gateway.isDraining());
}

/** The order of checks: gaps 1. */
async function answer(gateway: Gateway, exchange: Exchange, place: Place): Promise<Reply> {
  const { request, path, deadline } = exchange;
  const method = request.method ?? "GET";
  const page = gateway.page(method, path);
  if (page) return page;
  if (!needsKey(path)) throw unknownPath(path);

  const apiKey = keyOf(request);
  const caller = apiKey === undefined ? null : await gateway.identify(apiKey);
  if (!caller) throw gateway.refuse(request);
  await takeQuota(gateway, exchange, caller);
  const match = gateway.match(method, path);
  checkVersion(request);
  const key = isWrite(match.route) ? idempotencyKeyOf(request) : undefined;
  checkAccess(match.route, caller);
  deadline.pause();
  const body = match.route.method === "GET" ? {} : await readBody(request, place);
  deadline.restart();
  place.enter(match.route);
  return run(gateway, exchange, match, { body, key, caller });
}

/** A search is a POST that reads. */
function isWrite({ method, reads }: Route): boolean {
  return method !== "GET" && !reads;
}

/** Everything under /v1 and /mcp, unknown paths too, however the segment is encoded. */
function needsKey(path: string): boolean {
  const [before, first = ""] = path.split("/", 2);
  return before === "" && ["v1", "mcp"].includes(decoded(first) ?? "");
}

async function takeQuota(gateway: Gateway, exchange: Exchange, caller: Caller): Promise<void> {
  if (!gateway.quotas) return;
  const decision = await gateway.take(caller);
  if (!decision) return;
  const now = Date.now();
  exchange.headers = gateway.quotas.headers(decision, now);
  if (decision.exceeded !== null) throw gateway.quotas.refusal(decision, now);
}

function checkAccess(route: Route, caller: Caller): void {
  if (caller.access === "read" && isWrite(route)) throw new ApiError("FORBIDDEN", "This key may only read.");
}

/** A request whose path, key and body are read. */
interface Asked {
  body: unknown;
  key: string | undefined;
  caller: Caller;
}

async function run(gateway: Gateway, exchange: Exchange, match: Match, { body, key, caller }: Asked): Promise<Reply> {
  const schema = gateway.schemaOf(match.route.action);
  if (!schema) throw unavailable();
  const query = parseQuery(exchange.query);
  const { params, binding } = readInput(schema, match, query, body, caller, gateway.seal);
  const claim =
    key === undefined ? undefined : claimOf(gateway, exchange, match, key, fingerprintOf(match, query, body));
  const saved = claim && (await gateway.look(caller, claim.key));
  if (claim && saved) return replay(saved, claim.fingerprint, match.route.deprecated);
  const result = await gateway.call(match.route.action, params, claim ? { ...caller, claim } : caller, exchange.id);
  const { deprecated } = match.route;
  if (typeof result === "string") return dataReply(result, deprecated);
  const { items, next } = result as { items: string; next: string | null };
  const link = next === null ? null : nextLink(gateway, exchange, gateway.seal.seal(next, binding));
  return listReply(items, link, deprecated);
}

function claimOf(gateway: Gateway, { id }: Exchange, { route }: Match, key: string, fingerprint: string): Claim {
  const { publicUrl, idempotencyTtlS } = gateway;
  const deprecations = route.deprecated && JSON.stringify([route.deprecated.text]);
  return { key, fingerprint, requestId: id, publicUrl, ttlS: idempotencyTtlS, ...(deprecations && { deprecations }) };
}

/** What a request line may hold and a URI may not, brackets above all: RFC 3986. */
const NOT_OF_A_URI = /[^\w\-.~!$&'()*+,;=:@/?%]/g;

/** Absolute, from PUBLIC_URL and never from the Host header; repeats every parameter. gaps 2, "Lists". */
function nextLink(gateway: Gateway, { path, query }: Exchange, cursor: string): string {
  const others = parseQuery(query).filter(({ name }) => name !== "cursor");
  const relative = `${path}?${[...others.map(({ raw }) => raw), `cursor=${cursor}`].join("&")}`;
  return gateway.publicUrl + relative.replaceAll(NOT_OF_A_URI, encodeURIComponent);
}

/** Path and query of a request target, which may name the host too (RFC 9112, 3.2.2). */
function cut(target: string): [path: string, query: string] {
  const url = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "");
  const at = url.indexOf("?");
  return at < 0 ? [url, ""] : [url.slice(0, at), url.slice(at + 1)];
}
