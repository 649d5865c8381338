import { type ClientRequest, type IncomingMessage, request as plainRequest, type RequestOptions } from "node:http";
import { request as secureRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { WEBHOOK_ANSWER_BYTES_MAX, WEBHOOK_ATTEMPT_MS_MAX } from "../../../config/limits.ts";
import { type AddressRules, literalAddressOf } from "../subscriptions/addresses.ts";
import { refusedPort } from "../subscriptions/target-url.ts";
import type { Connections } from "./connections.ts";
import { failureWords, isWithoutAddress } from "./failure-words.ts";
import { judgedLookup, RefusedName, RefusedTarget, type Resolve, refuse } from "./lookup.ts";

/** Maximum length of a body that is kept with an attempt. docs/guides/webhook-deliveries.md#the-request */
const KEPT_BYTES = 1024;

/** The kept part of an answer whose headers have arrived. */
interface AnswerRead {
  responseStatus: number;
  responseBody: string;
  retryAfter: string | null;
}

/**
 * Reads an answer, at most this number of bytes of its body, and closes the connection. Errors after the headers do not
 * matter: the status has decided the outcome of the delivery.
 */
async function answerOf(response: IncomingMessage, bytesMax: number): Promise<AnswerRead> {
  const { statusCode = 0, headers } = response;
  const kept = await beginningOf(response, bytesMax);
  return { responseStatus: statusCode, responseBody: textOf(kept), retryAfter: headers["retry-after"] ?? null };
}

async function beginningOf(response: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      if (size < KEPT_BYTES) chunks.push(chunk);
      size += chunk.length;
      // Leaving the loop closes the connection.
      if (size >= bytesMax) break;
    }
  } catch {
    // The connection broke, or the time was over. The received part is kept.
  }
  return Buffer.concat(chunks).subarray(0, KEPT_BYTES);
}

/**
 * Bytes as a text that PostgreSQL takes: invalid ones are replaced, and a character that was cut in half is left out.
 */
function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll("\0", "\ufffd");
}

/** Headers of an answer together. Servers send some hundred bytes. */
const HEAD_BYTES_MAX = 16 * 1024;
/** Time that a connection to one of several addresses can take before the next one is tried. */
const NEXT_ADDRESS_MS = 2500;

/** A request to be sent. */
export interface Sending {
  targetUrl: string;
  headers: Record<string, string>;
  body: Buffer;
  connections: Connections;
}

/** Result of an attempt, as deliveries show it, and its effect on the next attempt. */
export interface Outcome {
  /** Null when no answer came. */
  responseStatus: number | null;
  /** Reason why there is no answer, or why it does not count, in short words; null if the status says it all. */
  error: string | null;
  durationMs: number;
  /** The beginning of the body; empty without one. */
  responseBody: string;
  /** The header of the answer as it came; null without one. */
  retryAfter: string | null;
}

type Answer = Omit<Outcome, "durationMs" | "error">;

/** Sends a request once. It never throws: what goes wrong is an outcome. An aborted signal ends it as a failure. */
export type Attempt = (sending: Sending, signal: AbortSignal) => Promise<Outcome>;

interface Means {
  rules: AddressRules;
  resolve: Resolve;
  /** Called with a message for the log if a name leads to an address that is not allowed, and with the target. */
  onRefused?(message: string, targetUrl: string): void;
  /** For all of it: the search for the address, connection, TLS, headers and body. */
  withinMs?: number;
}

/**
 * Attempts of deliveries, over the HTTP client of Node itself: it follows no redirects, reads no variables of proxies,
 * and decompresses nothing. The address is judged where the connection is made, so none is ever made to another one.
 * docs/guides/webhook-deliveries.md#targets
 */
export function createAttempt({ rules, resolve, onRefused, withinMs = WEBHOOK_ATTEMPT_MS_MAX }: Means): Attempt {
  return async (sending, signal) => {
    const began = performance.now();
    const ended = (answer: Partial<Outcome>): Outcome => {
      const durationMs = Math.round(performance.now() - began);
      return { responseStatus: null, error: null, responseBody: "", retryAfter: null, durationMs, ...answer };
    };
    const ending = new AbortController();
    const abort = () => ending.abort();
    const late = setTimeout(abort, withinMs);
    signal.addEventListener("abort", abort, { once: true });
    try {
      const lookup = judgedLookup(rules, resolve, ending.signal);
      const answer = await exchange(checkedOptions(sending, rules, lookup), sending, ending.signal);
      return ended({ ...answer, error: isRedirect(answer) ? "redirects are not followed" : null });
    } catch (error) {
      if (signal.aborted) return ended({ error: "the server was stopped" });
      if (ending.signal.aborted) return ended({ error: `no answer within ${withinMs / 1000} s` });
      return ended(failed(error as Error, (message) => onRefused?.(message, sending.targetUrl)));
    } finally {
      clearTimeout(late);
      signal.removeEventListener("abort", abort);
    }
  };
}

/**
 * Outcome of a failed attempt. It has no duration if the name has no allowed address, because that would show whether
 * the name was found.
 */
function failed(error: Error, tellRefused: (message: string) => void): Partial<Outcome> {
  if (error instanceof RefusedName) tellRefused(error.message);
  const words = { error: failureWords(error) };
  return isWithoutAddress(error) ? { ...words, durationMs: 0 } : words;
}

function isRedirect({ responseStatus }: Answer): boolean {
  return responseStatus !== null && responseStatus >= 300 && responseStatus < 400;
}

/** @throws RefusedTarget when the URL names what must not be connected to */
function checkedOptions(
  { targetUrl, headers, body, connections }: Sending,
  rules: AddressRules,
  lookup: LookupFunction,
) {
  const url = new URL(targetUrl);
  const { protocol, hostname, pathname, search } = url;
  if (protocol !== "http:" && protocol !== "https:")
    throw new RefusedTarget("the target is no address of http or https");
  const isSecure = protocol === "https:";
  const refused = refusedPort(url);
  if (refused !== null) throw new RefusedTarget(`the port ${refused} is not allowed`);
  // A connection to a literal address is made without a lookup.
  const literal = literalAddressOf(url);
  if (literal !== null) refuse(rules, literal);
  const options: RequestOptions & { autoSelectFamilyAttemptTimeout: number } = {
    method: "POST",
    protocol,
    hostname: literal ?? hostname,
    port: Number(url.port || (isSecure ? 443 : 80)),
    path: pathname + search,
    headers: { ...headers, host: url.host, "content-length": body.length },
    agent: isSecure ? connections.secure : connections.plain,
    maxHeaderSize: HEAD_BYTES_MAX,
    lookup,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
  };
  return options;
}

/**
 * Sends a request and reads its answer. A server may close a connection that was kept open in the very moment in which
 * it is used again. It has hardly seen the request then, which is sent once more at once, on a new connection; if it
 * has, the request comes twice, with the same id.
 */
async function exchange(options: RequestOptions, { body }: Sending, signal: AbortSignal): Promise<Answer> {
  try {
    return await send(options, body, signal);
  } catch (error) {
    if (!(error instanceof ClosedBefore) || signal.aborted) throw error instanceof ClosedBefore ? error.cause : error;
    return send({ ...options, agent: false }, body, signal);
  }
}

/** A connection that was kept open was closed before a byte of the answer had come. */
class ClosedBefore extends Error {}

function send(options: RequestOptions, body: Buffer, signal: AbortSignal): Promise<Answer> {
  const open = options.protocol === "https:" ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const request = open({ ...options, signal });
    let bytesBefore = 0;
    request.once("socket", (socket) => {
      bytesBefore = socket.bytesRead;
    });
    let isAnswered = false;
    request.once("response", (response) => {
      isAnswered = true;
      answerOf(response, WEBHOOK_ANSWER_BYTES_MAX).then(resolve, reject);
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      // The reader of the body gets errors that happen after the headers have arrived.
      if (isAnswered) return;
      const isUnseen = wasClosed(error) && request.reusedSocket && bytesReadOf(request) === bytesBefore;
      reject(isUnseen ? new ClosedBefore("closed", { cause: error }) : error);
    });
    request.end(body);
  });
}

function wasClosed({ code }: NodeJS.ErrnoException): boolean {
  return code === "ECONNRESET" || code === "EPIPE";
}

function bytesReadOf({ socket }: ClientRequest): number {
  return socket?.bytesRead ?? 0;
}
