import { type Answered, checkAgainstDocument } from "./document.ts";

/** The table of docs/guides/errors.md#codes, written anew, since the one in the code is what is tested. */
const CODES: Record<string, [status: number, anchor: string]> = {
  INVALID_REQUEST: [400, "bad-request"],
  IDEMPOTENCY_KEY_INVALID: [400, "idempotency-key-invalid"],
  UNAUTHORIZED: [401, "unauthorized"],
  FORBIDDEN: [403, "forbidden"],
  RESOURCE_NOT_FOUND: [404, "not-found"],
  METHOD_NOT_ALLOWED: [405, "method-not-allowed"],
  IDEMPOTENCY_REQUEST_IN_PROGRESS: [409, "idempotency-request-in-progress"],
  PRECONDITION_FAILED: [412, "precondition-failed"],
  PAYLOAD_TOO_LARGE: [413, "payload-too-large"],
  UNPROCESSABLE_ENTITY: [422, "unprocessable-entity"],
  IDEMPOTENCY_KEY_REUSED: [422, "idempotency-key-reused"],
  IDEMPOTENCY_RESPONSE_NOT_STORED: [422, "idempotency-response-not-stored"],
  TOO_MANY_REQUESTS: [429, "rate-limiting"],
  INTERNAL_SERVER_ERROR: [500, "internal-server-error"],
  SERVICE_UNAVAILABLE: [503, "service-unavailable"],
  IDEMPOTENCY_UNAVAILABLE: [503, "idempotency-unavailable"],
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Stacks, paths of files, SQL and its errors, names of the bus. */
const LEAKS =
  /\n\s+at |node_modules|\.(ts|js|mjs):\d|\/work\/|\/home\/|violates|constraint "|relation "|syntax error at|pg_|ECONN|MOL\.|moleculer/;
const PROBES = /^\/(livez|readyz|docs|$)/;

/**
 * Fails when an answer breaks a promise that every answer makes. docs/guides/conventions.md#answers,
 * docs/guides/errors.md#the-error-body, docs/guides/conventions.md#when-something-is-away
 */
export function checkAnswer(server: { publicUrl: string }, answered: Answered): void {
  const faults = [...headerFaults(answered), ...bodyFaults(server.publicUrl, answered)];
  if (faults.length === 0) return;
  const { method, path, status, text } = answered;
  throw new Error(
    `${method} ${path.slice(0, 200)} answered ${status} ${text.slice(0, 1000)}\n- ${faults.join("\n- ")}`,
  );
}

/** The same for an answer that is a stream, whose end nobody waits for. */
export function checkHead(answered: Answered): void {
  const faults = [...headerFaults(answered), ...checkAgainstDocument(answered, undefined)];
  if (faults.length > 0) throw new Error(`${answered.path} answered ${answered.status}\n- ${faults.join("\n- ")}`);
}

function headerFaults({ headers }: Answered): string[] {
  return [
    ...(UUID.test(String(headers["x-request-id"])) ? [] : ["X-Request-Id is no uuid"]),
    ...(headers["x-api-version"] === "2025-06-09" ? [] : ["X-API-Version is not 2025-06-09"]),
    ...(headers["x-content-type-options"] === "nosniff" ? [] : ["X-Content-Type-Options is not nosniff"]),
    ...("x-powered-by" in headers ? ["X-Powered-By is there"] : []),
    ...(Object.keys(headers).some((name) => name.startsWith("access-control-")) ? ["there is a CORS header"] : []),
  ];
}

function bodyFaults(publicUrl: string, answered: Answered): string[] {
  const { method, path, status, headers, text } = answered;
  if (PROBES.test(path) && status < 400) return [];
  if (method === "HEAD")
    return [...(text === "" ? [] : ["an answer to HEAD has a body"]), ...checkAgainstDocument(answered, undefined)];
  if (!/^application\/json; charset=utf-8$/.test(headers["content-type"] ?? ""))
    return [`Content-Type is ${headers["content-type"]}`];
  const body: unknown = JSON.parse(text);
  const shape = status === 200 ? dataFaults(publicUrl, path, body) : errorFaults(publicUrl, answered, body);
  return [...shape, ...checkAgainstDocument(answered, body)];
}

function dataFaults(publicUrl: string, path: string, body: unknown): string[] {
  const { data, deprecations, ...more } = body as { data?: unknown; deprecations?: unknown };
  const faults = Object.keys(more).flatMap((name) => (isBeside(name, path) ? [] : [`"${name}" stands beside data`]));
  if (typeof data !== "object" || data === null) return [...faults, "there is no data"];
  if (deprecations !== undefined && !isTexts(deprecations)) faults.push("deprecations is no list of texts");
  return "items" in data ? [...faults, ...itemsFaults(publicUrl, path, data)] : faults;
}

function itemsFaults(publicUrl: string, path: string, data: object): string[] {
  if ("total" in data) return aggregateFaults(data as Record<string, unknown>);
  if (/^\/v1\/search\b/.test(path)) return searchFaults(data as Record<string, unknown>);
  const faults: string[] = [];
  const { items, pagination, ...others } = data as { items: unknown; pagination?: { nextLink?: unknown } };
  const beside = path.startsWith("/v1/events") ? "cursor" : "";
  if (!Array.isArray(items) || Object.keys(others).join() !== beside)
    faults.push("a list is { items, pagination }, and that of events has a cursor besides");
  const { nextLink, ...rest } = pagination ?? { none: true };
  if (Object.keys(rest).length > 0) faults.push("pagination is {} or { nextLink }");
  if (nextLink !== undefined) faults.push(...linkFaults(publicUrl, path, String(nextLink)));
  return faults;
}

/** docs/guides/search.md#answers */
function searchFaults({ items, ...others }: Record<string, unknown>): string[] {
  return Array.isArray(items) && Object.keys(others).length === 0 ? [] : ["a search has items and nothing else"];
}

/** docs/guides/aggregates.md#groups */
function aggregateFaults({ items, total: _, truncated = true, ...others }: Record<string, unknown>): string[] {
  const isComplete = Array.isArray(items) && truncated === true && Object.keys(others).length === 0;
  return isComplete ? [] : ["an aggregate is { items, total }, with truncated: true if there are more groups"];
}

/** docs/guides/preview.md#the-answer, docs/guides/upsert.md#the-answer */
function isBeside(name: string, path: string): boolean {
  return name === "changes" || (path.endsWith("/upsert") && ["operation", "matchedBy"].includes(name));
}

function linkFaults(publicUrl: string, path: string, nextLink: string): string[] {
  const [asked = ""] = path.split("?");
  const [given = ""] = nextLink.split("?");
  const cursor = new URL(nextLink).searchParams.get("cursor") ?? "";
  return [
    ...(/^[\w\-.~!$&'()*+,;=:@/?%]+$/.test(nextLink) ? [] : [`nextLink ${nextLink} is no URI`]),
    ...(given.startsWith(publicUrl) && decodeURIComponent(given.slice(publicUrl.length)) === decodeURIComponent(asked)
      ? []
      : [`nextLink ${nextLink} is not the same path below PUBLIC_URL`]),
    ...(cursor.length > 0 && cursor.length <= 512 ? [] : [`the cursor has ${cursor.length} characters`]),
  ];
}

function errorFaults(publicUrl: string, { status, headers, text }: Answered, body: unknown): string[] {
  const { error = {}, ...others } = body as { error?: Record<string, unknown> };
  const { code, message, documentationUrl, requestId, timestamp, details, ...more } = error;
  const [expectedStatus, anchor] = CODES[String(code)] ?? [0, ""];
  const age = Math.abs(Date.now() - Date.parse(String(timestamp)));
  const promises: [kept: boolean, otherwise: string][] = [
    [Object.keys({ ...others, ...more }).length === 0, "the error has unknown members"],
    [expectedStatus === status, `code ${String(code)} does not go with status ${status}`],
    [typeof message === "string" && message.length > 5, "the message says nothing"],
    [documentationUrl === `${publicUrl}/docs/errors#${anchor}`, `documentationUrl is ${String(documentationUrl)}`],
    [
      (requestId === headers["x-request-id"]) !== "idempotent-replayed" in headers,
      "requestId is not that of the request that ran",
    ],
    [INSTANT.test(String(timestamp)) && age < 60_000, `timestamp is ${String(timestamp)}`],
    [details === undefined || (typeof details === "object" && details !== null), "details is no object"],
    [status !== 503 || "retry-after" in headers, "a 503 has no Retry-After"],
    [status !== 405 || "allow" in headers, "a 405 has no Allow"],
    [!LEAKS.test(text), "the text tells how the server works"],
  ];
  const faults = promises.flatMap(([isKept, otherwise]) => (isKept ? [] : [otherwise]));
  return code === "UNPROCESSABLE_ENTITY" ? [...faults, ...issueFaults(details)] : faults;
}

function issueFaults(details: unknown): string[] {
  const { issues } = (details ?? {}) as { issues?: { code?: unknown; message?: unknown; path?: unknown }[] };
  if (!issues || issues.length === 0) return ["a 422 has no issues"];
  return issues.flatMap((issue) =>
    typeof issue.code === "string" &&
    typeof issue.message === "string" &&
    issue.message !== "" &&
    Array.isArray(issue.path)
      ? []
      : [`an issue is not complete: ${JSON.stringify(issue)}`],
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
