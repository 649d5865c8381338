import createFetchClient, { type Client } from "openapi-fetch";
import type { AnswerHeaders, Call } from "./call.ts";
import { type Clock, systemClock } from "./clock.ts";
import { API_VERSION, type paths } from "./generated/schema.ts";
import { type CallOptions, withHeaders } from "./headers.ts";
import { serializeQuery } from "./query.ts";
import { retryingFetch, type Send } from "./retrying-fetch.ts";

export interface ClientOptions {
  /** Address of the server: its `PUBLIC_URL`, with or without `/v1`. */
  baseUrl: string;
  apiKey: string;
  /** Function that sends a request once, in the place of the global `fetch`. */
  fetch?: Send;
  /** Headers of every request, besides those that the client sets. */
  headers?: Record<string, string>;
  /** Maximum number of times a request is sent again: 5 by default, 0 for never. */
  maxRetries?: number;
  /** Longest time that one call waits between its attempts, all waits together: 60,000 by default. */
  maxRetryDelayMs?: number;
  /** Longest time of one attempt: 30,000 by default. */
  timeoutMs?: number;
  /** Clock for tests: it gives the time, and waits. */
  clock?: Clock;
}

/** A call for every operation: `client.GET("/v1/people", …)`. */
export interface ContactWorkspaceClient extends Pick<Client<paths>, "use" | "eject"> {
  GET: Call<"get">;
  POST: Call<"post">;
  PATCH: Call<"patch">;
  DELETE: Call<"delete">;
  /** Address of the server, without `/v1` and without a slash at the end. */
  readonly baseUrl: string;
}

const METHODS = ["GET", "POST", "PATCH", "DELETE"] as const;

/** Three times what the server takes at most for a request whose body has arrived. docs/guides/under-load.md */
const TIMEOUT_MS = 30_000;

/** The longest window of the default rate limits. docs/guides/limits.md#rate-limits */
const RETRY_DELAY_MAX_MS = 60_000;

/**
 * A client of one server, for one API key.
 * @throws TypeError when `baseUrl` is no address of a server
 */
export function createClient(options: ClientOptions): ContactWorkspaceClient {
  const { apiKey, headers, fetch = (request) => globalThis.fetch(request), clock = systemClock } = options;
  const { maxRetries = 5, maxRetryDelayMs = RETRY_DELAY_MAX_MS, timeoutMs = TIMEOUT_MS } = options;
  const baseUrl = serverAddress(options.baseUrl);
  const client = createFetchClient<paths, "application/json">({
    baseUrl,
    headers: { "X-API-Version": API_VERSION, ...headers, Authorization: `Bearer ${apiKey}` },
    querySerializer: serializeQuery,
    fetch: retryingFetch(fetch, { maxRetries, maxRetryDelayMs, timeoutMs, clock }),
  });
  const { use, eject } = client;
  const calls = Object.fromEntries(METHODS.map((method) => [method, withAnswerHeaders(client[method] as AnyCall)]));
  // The compiler cannot see that these calls take less than those.
  return { ...(calls as Pick<ContactWorkspaceClient, (typeof METHODS)[number]>), use, eject, baseUrl };
}

type AnyCall = (path: string, options: CallOptions) => Promise<{ response: Response }>;

/** A call that takes options as headers, and gives headers of its answer. */
function withAnswerHeaders(call: AnyCall): (path: string, options?: CallOptions) => Promise<AnswerHeaders> {
  return async (path, options = {}) => {
    const answered = await call(path, withHeaders(options));
    const { headers } = answered.response;
    return {
      ...answered,
      etag: headers.get("ETag") ?? undefined,
      requestId: headers.get("X-Request-Id") ?? undefined,
    };
  };
}

/** The end that addresses of the API have, which the paths of calls begin with. */
const VERSION = /\/v1$/;

/**
 * Address of the server, without `/v1` and slashes at the end: paths of calls begin with `/v1` themselves.
 * @throws TypeError for an invalid address
 */
function serverAddress(given: string): string {
  const text = given.trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:\/\//i.test(text))
    throw refused(given, "is no absolute address: begin it with https:// or http://");
  if (url.search || url.hash || /[?#]/.test(text)) throw refused(given, "has a query or a fragment: leave it out");
  if (url.username || url.password) throw refused(given, "has a user or a password: give the key as apiKey");
  return url.href.replace(/\/+$/, "").replace(VERSION, "").replace(/\/+$/, "");
}

function refused(given: string, why: string): TypeError {
  const shown = given.replace(/\/\/[^/@]*@/, "//…@");
  return new TypeError(`baseUrl, ${JSON.stringify(shown)}, ${why}, as in "https://contacts.example.com".`);
}
