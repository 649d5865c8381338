import type { IncomingMessage, ServerResponse } from "node:http";
import { unavailable } from "../../base/contract/errors.ts";
import { type Page, takeItems } from "../../base/contract/page.ts";
import { parseQuery } from "../../base/contract/query-string.ts";
import { type Holder, heldBy } from "../../base/loop/guard.ts";
import { execute } from "./action/execute.ts";
import { makeByFirstFitting } from "./action/schemas.ts";
import { FULL, type RequestSlot } from "./admission/admission.ts";
import { type Deadline, startDeadline } from "./admission/deadline.ts";
import { isProbe, lineOf, mayStart, paceOf } from "./admission/may-start.ts";
import { inputOf } from "./body-worker/large-input.ts";
import { claimOf } from "./claim/claim.ts";
import { type Exchange, openExchange } from "./connection/exchange.ts";
import type { Gateway } from "./gateway.ts";
import { identifyCaller } from "./identity/caller.ts";
import { answerAssistant, isForAssistants } from "./mcp/endpoint.ts";
import { answeredOf, isGone, isIdentified } from "./observation/answered.ts";
import { inRequestSpan, traceIdInLog } from "./observation/request-span.ts";
import { headersOfQuery } from "./operation/ignored-parameters.ts";
import { readOperation } from "./operation/operation.ts";
import { markPreview, refusePreview } from "./operation/preview.ts";
import { unknownPath } from "./operation/router.ts";
import { isWrite } from "./operation/routes.ts";
import type { CursorSeal } from "./response/cursor.ts";
import { deprecationsOf } from "./response/deprecations.ts";
import { toApiError } from "./response/failure.ts";
import { dataReply, encodeLong, errorReply, listData, type Reply, replayed, send } from "./response/reply.ts";
import { isForStream, openStream } from "./stream/open-stream.ts";

// The way of a request: connection, admission, identity, operation, claim, action, response. Each has a folder.

/**
 * Begins a request, in this turn of the event loop or in one of the next. When there is no place for a request of its
 * kind, or when too many wait before it, it is refused, before the sender is known. Refusing here costs half of
 * authenticating first, and at ten times the capacity nine requests in ten end here. Probes begin at once.
 * docs/decisions/0009-overload.md
 */
export function receive(gateway: Gateway, request: IncomingMessage, response: ServerResponse): void {
  const exchange = opened(gateway, request, response);
  const begin = heldBy(
    () => holderOf(exchange),
    inRequestSpan(exchange, () => void serve(gateway, exchange)),
  );
  if (isProbe(exchange)) begin();
  else if (!mayStart(gateway, exchange))
    gateway.refusals.run(
      () => answer(gateway, exchange, errorReply(FULL, exchange.id, gateway.publicUrl)),
      () => lineOf(gateway, exchange),
    );
  else paceOf(gateway, exchange).run(begin, () => lineOf(gateway, exchange));
}

function holderOf({ id, method, needsKey, found }: Exchange): Holder {
  return { what: `${method} ${found?.route?.path ?? (needsKey ? "under /v1 or /mcp" : "a page")}`, requestId: id };
}

/** Answers one request, whatever it is. Never rejects. */
async function serve(gateway: Gateway, exchange: Exchange): Promise<void> {
  const deadline = startDeadline(exchange.begunMs);
  try {
    const work = (place: RequestSlot) => makeReply(gateway, exchange, { place, deadline });
    // A probe needs no place: it tells how a process is that has none left.
    const probe = isProbe(exchange) ? gateway.pages.reply(exchange.request, exchange.path) : undefined;
    // The others keep their place until they are over, even if their client got a 503 before.
    const reply = probe ?? gateway.admission.serve(work);
    answer(gateway, exchange, await Promise.race([reply, deadline.passed]));
  } catch (error) {
    answer(gateway, exchange, failed(gateway, exchange, error));
  } finally {
    deadline.clear();
  }
}

/** Answers a request whose head is not in order. */
export function fail(gateway: Gateway, request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const exchange = opened(gateway, request, response);
  answer(gateway, exchange, failed(gateway, exchange, error));
}

function opened(gateway: Gateway, request: IncomingMessage, response: ServerResponse): Exchange {
  gateway.observer.begun();
  return openExchange(gateway, request, response);
}

function failed({ logger, publicUrl }: Gateway, exchange: Exchange, error: unknown): Reply {
  const { id: requestId } = exchange;
  return errorReply(toApiError(error, { requestId, ...traceIdInLog(exchange) }, logger), requestId, publicUrl);
}

/** Answers a request, and compresses what is large for a client that takes it so. */
function answer(gateway: Gateway, exchange: Exchange, reply: Reply): void {
  encodeLong(reply);
  const { caller } = exchange.known;
  if (caller && Buffer.isBuffer(reply.body)) gateway.answerShare.note(caller.workspaceId, reply.body.length);
  const coding = gateway.compression.codingOf(exchange, reply);
  if (coding === "identity") {
    deliver(gateway, exchange, reply);
    return;
  }
  gateway.compression
    .compress(reply, coding, lineOf(gateway, exchange), () => isGone(exchange))
    .then((compressed) => deliver(gateway, exchange, compressed))
    .catch((error: unknown) => deliver(gateway, exchange, failed(gateway, exchange, error)));
}

function deliver(gateway: Gateway, exchange: Exchange, reply: Reply): void {
  if (exchange.isAnswered) return;
  const tenantOf = () => lineOf(gateway, exchange);
  const { fitting, bytes } = whatFits(gateway, exchange, reply, tenantOf);
  const answered = answeredOf(gateway, exchange, fitting);
  if (isIdentified(answered)) gateway.requestLog.add(answered);
  const sent = send(exchange, fitting, gateway.isDraining());
  exchange.isAnswered = true;
  gateway.unsent.hold(exchange, bytes, tenantOf);
  gateway.observer.sent(exchange, answered, fitting, sent);
}

/**
 * The reply, or in its place a 503 when there is no room to keep it until its client has read it; and the bytes of a
 * large one.
 */
function whatFits(gateway: Gateway, exchange: Exchange, reply: Reply, tenantOf: () => string) {
  try {
    const bytes = gateway.unsent.roomFor(exchange, reply.body, tenantOf);
    return { fitting: reply, bytes };
  } catch (error) {
    return { fitting: failed(gateway, exchange, error), bytes: 0 };
  }
}

/** Takes a request through all stages. Throws the error to be answered at the first that refuses it. */
async function makeReply(
  gateway: Gateway,
  exchange: Exchange,
  bounds: { place: RequestSlot; deadline: Deadline },
): Promise<Reply> {
  const page = gateway.pages.reply(exchange.request, exchange.path);
  if (page) return page;
  if (!exchange.needsKey) throw unknownPath(exchange.path);

  markPreview(exchange);
  const caller = await identifyCaller(gateway, exchange, bounds.deadline);
  bounds.place.belongTo(caller.workspaceId);
  gateway.unsent.check(caller.workspaceId);
  const rest = gateway.answerShare.rest(caller.workspaceId);
  if (rest) await rest;
  if (isForAssistants(exchange)) return answerAssistant(gateway, exchange, caller, bounds);
  const operation = await readOperation(exchange, caller, bounds);
  exchange.known.idempotencyKey = operation.key;
  const { action } = operation.route;
  const schemas = gateway.schemasOf(action);
  if (schemas.length === 0) throw unavailable();
  refusePreview(operation, schemas);
  const seal = operation.route.isOfLog ? gateway.feedSeal : gateway.seal;
  const { schema, made: input } = await makeByFirstFitting(schemas, (judge, isLast) =>
    inputOf(gateway.workers, { schema: judge, isLast }, operation, caller, seal),
  );
  const { params, binding } = input;
  const headers = headersOfQuery(schema, operation);
  if (isForStream(operation.route, exchange))
    return withHeaders(await openStream(gateway.streams, exchange, caller, params), headers);
  const claim = operation.isPreview ? undefined : claimOf(gateway, exchange, operation, input);
  const { id: requestId, trace, response } = exchange;
  const executing = {
    caller,
    claim,
    requestId,
    trace,
    deadline: bounds.deadline,
    isGone: () => response.closed,
    schema,
    isJudged: true,
    isRead: !isWrite(operation.route) || operation.isPreview,
  };
  const done = await execute(gateway, action, params, executing);
  if ("saved" in done) return replayed(done.saved);
  const deprecations = deprecationsOf(operation.route, params.body);
  const data = "data" in done ? done : pageData(gateway, exchange, done.page, { seal, binding });
  return withHeaders(dataReply(data, deprecations), headers);
}

function withHeaders(reply: Reply, headers: Reply["headers"]): Reply {
  Object.assign(reply.headers, headers);
  return reply;
}

/** The data of a page, with the link to the next one. */
function pageData(
  gateway: Gateway,
  exchange: Exchange,
  page: Page,
  { seal, binding }: { seal: CursorSeal; binding: string },
): string {
  const { next, cursor: at } = page;
  const cursor = at && seal.seal(at, binding);
  const link =
    next === null
      ? null
      : nextLink(gateway.publicUrl, exchange, next === at && cursor ? cursor : seal.seal(next, binding));
  return listData(takeItems(page), { nextLink: link, cursor });
}

/** The characters that Node takes in a request line and that no URI may have, brackets above all: RFC 3986. */
const NOT_OF_A_URI = /[^\w\-.~!$&'()*+,;=:@/?%]/g;

/**
 * The link to the next page: absolute, from PUBLIC_URL and never from the Host header, with every parameter of the
 * request as it was sent. docs/guides/lists.md#pages
 */
function nextLink(publicUrl: string, { path, query }: Exchange, cursor: string): string {
  const others = parseQuery(query).filter(({ name }) => name !== "cursor");
  const relative = `${path}?${[...others.map(({ raw }) => raw), `cursor=${cursor}`].join("&")}`;
  return publicUrl + relative.replaceAll(NOT_OF_A_URI, encodeURIComponent);
}
