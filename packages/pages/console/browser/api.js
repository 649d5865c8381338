import { changed, state } from "./state.js";

// The key is kept for this tab and is gone with it. No other tab and no other site can read it.
const STORED = "key";

/** A view may ask for more than the burst limit allows: what is refused is asked for again when the server says so. */
const TRIES_MAX = 4;
const WAIT_S_MAX = 10;

/** A refusal of the server, or that it cannot be reached. */
export class Failure extends Error {
  /**
   * @param {string} message @param {{ status?: number, code?: string, requestId?: string, issues?: { path: (string |
   * number)[], message: string }[] }} [more]
   */
  constructor(message, { status = 0, code, requestId, issues = [] } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.issues = issues;
  }
}

/** @returns {string | null} */
export function storedKey() {
  return sessionStorage.getItem(STORED);
}

/** @param {string | null} key null forgets it */
export function storeKey(key) {
  if (key === null) sessionStorage.removeItem(STORED);
  else sessionStorage.setItem(STORED, key);
}

/**
 * Sends a request to this server with the key of the tab.
 * @param {string} path
 * @param {{ method?: string, body?: unknown, accept?: string, headers?: Record<string, string>, signal?: AbortSignal }}
 *   [options]
 * @returns {Promise<Response>} an answer of success
 */
export async function send(path, { method = "GET", body, accept = "application/json", headers = {}, signal } = {}) {
  const options = {
    method,
    ...(signal && { signal }),
    headers: {
      Authorization: `Bearer ${storedKey()}`,
      Accept: accept,
      ...(body !== undefined && { "Content-Type": "application/json" }),
      // The same for each try, so that a write takes effect once.
      ...(method !== "GET" && { "Idempotency-Key": crypto.randomUUID() }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(path, options).catch((error) => {
      if (signal?.aborted) throw error;
      throw new Failure("The server cannot be reached.");
    });
    noteQuota(answer.headers);
    if (answer.ok) return answer;
    const waitS = Number(answer.headers.get("retry-after"));
    if (![429, 503].includes(answer.status) || tries === TRIES_MAX || waitS > WAIT_S_MAX)
      throw failureOf(answer.status, await answer.json().catch(() => ({})));
    await new Promise((resolve) => setTimeout(resolve, (waitS + Math.random()) * 1000));
  }
}

/**
 * @param {string} path
 * @param {Parameters<typeof send>[1]} [options]
 * @returns {Promise<any>} the answer: `data`, and in a preview `changes`
 */
export async function answerOf(path, options) {
  const answer = await send(path, options);
  return answer.json();
}

/**
 * @param {string} path
 * @param {Parameters<typeof send>[1]} [options]
 * @returns {Promise<any>} `data` of the answer
 */
export async function request(path, options) {
  return (await answerOf(path, options)).data;
}

/**
 * All entries of a short list.
 * @param {string} path
 * @returns {Promise<any[]>}
 */
export async function all(path) {
  const items = [];
  for (let next = /** @type {string | null} */ (`${path}?limit=100`); next !== null; ) {
    const data = await request(next);
    items.push(...data.items);
    next = nextPath(data);
  }
  return items;
}

/**
 * Path and query of the next page. The page asks the server that it came from, whatever address `PUBLIC_URL` says.
 * @param {{ pagination: { nextLink?: string } }} data
 */
export function nextPath({ pagination }) {
  if (!pagination.nextLink) return null;
  const { pathname, search } = new URL(pagination.nextLink);
  return pathname + search;
}

/** @param {Headers} headers */
function noteQuota(headers) {
  const limit = headers.get("x-ratelimit-limit");
  state.quota =
    limit === null ? null : { limit: Number(limit), remaining: Number(headers.get("x-ratelimit-remaining")) };
  changed();
}

/** @param {number} status @param {any} body */
function failureOf(status, body) {
  const { code, message = `The server answered ${status}.`, requestId, details } = body.error ?? {};
  return new Failure(message, { status, code, requestId, issues: details?.issues });
}
