import type { Clock } from "./clock.ts";
import { retryAfterMs } from "./retry-after.ts";

/** Sends a request once, as `fetch` does. */
export type Send = (request: Request) => Promise<Response>;

export interface Retrying {
  /** Maximum number of times a request is sent again. */
  maxRetries: number;
  /** Longest time that one call waits between its attempts, all waits together. */
  maxRetryDelayMs: number;
  /** Longest time of one attempt until its answer is complete. */
  timeoutMs: number;
  clock: Clock;
}

/** Result of one attempt. */
type Outcome = { response: Response } | { error: unknown };

/**
 * Statuses of requests that were not run, or whose outcome their key tells: they are sent again as they are.
 * docs/guides/idempotency.md#retrying
 *
 * A 500 is not among them: its answer is saved under the key. 502 and 504 come from a proxy that got no answer of the
 * server.
 */
const RETRIED = new Set([408, 409, 429, 502, 503, 504]);

/** The first wait is up to this, and each one up to twice as long as the one before. */
const BACKOFF_MS = 500;
const BACKOFF_MAX_MS = 8000;

const WRITES = ["POST", "PATCH", "DELETE"];

/**
 * Searches and counts are reads, and take no key. An object type may have the name "search", so the whole path counts.
 * docs/guides/filters.md#search
 */
const SEARCH = /\/v1\/(people|companies|groups\/[^/]+\/[^/]+)\/(search|aggregate)$/;

/**
 * Gives every write an `Idempotency-Key` and sends a request again, with the same key, for as long as that may help. It
 * answers with the last answer, or throws what the last attempt has thrown: what `send` throws, a `TimeoutError`, or
 * the reason of the request's signal, which also ends a wait.
 */
export function retryingFetch(send: Send, retrying: Retrying): Send {
  const { maxRetries, maxRetryDelayMs, timeoutMs, clock } = retrying;
  return async (request) => {
    if (isWrite(request) && !request.headers.has("Idempotency-Key"))
      request.headers.set("Idempotency-Key", crypto.randomUUID());
    let waitedMs = 0;
    for (let retries = 0; ; retries += 1) {
      // A body can be read once, so each attempt gets a copy of it.
      const outcome = await attempt(send, request.clone(), timeoutMs);
      request.signal.throwIfAborted();
      const delayMs = retries < maxRetries ? retryDelayMs(outcome, retries, clock) : undefined;
      if (delayMs === undefined || waitedMs + delayMs > maxRetryDelayMs) return resultOf(outcome);
      await clock.sleep(delayMs, request.signal);
      waitedMs += delayMs;
    }
  };
}

function isWrite({ method, url }: Request): boolean {
  return WRITES.includes(method) && !SEARCH.test(new URL(url).pathname);
}

async function attempt(send: Send, request: Request, timeoutMs: number): Promise<Outcome> {
  const timeout = new AbortController();
  const late = () => timeout.abort(new DOMException(`There was no answer within ${timeoutMs} ms.`, "TimeoutError"));
  const timer = setTimeout(late, timeoutMs);
  try {
    const signal = AbortSignal.any([request.signal, timeout.signal]);
    const response = await send(new Request(request, { signal }));
    // An answer that breaks off is no answer: it is read here, where the request can be sent again.
    if (!isStream(response)) await response.clone().arrayBuffer();
    return { response };
  } catch (error) {
    return { error };
  } finally {
    clearTimeout(timer);
  }
}

/** A stream of events stays open. docs/guides/event-feed.md#the-stream */
function isStream({ headers }: Response): boolean {
  return headers.get("Content-Type")?.startsWith("text/event-stream") ?? false;
}

/** Milliseconds to wait before the next attempt; undefined when none would help. */
function retryDelayMs(outcome: Outcome, retries: number, clock: Clock): number | undefined {
  // Clients that failed at the same moment would come again at the same moment, if chance did not part them.
  const backoffMs = clock.random() * Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** retries);
  if ("error" in outcome) return backoffMs;
  const { status, headers } = outcome.response;
  if (!RETRIED.has(status)) return undefined;
  return (retryAfterMs(headers, clock.now()) ?? 0) + backoffMs;
}

function resultOf(outcome: Outcome): Response {
  if ("error" in outcome) throw outcome.error;
  return outcome.response;
}
