import type { components } from "./generated/schema.ts";

type FeedEvent = components["schemas"]["FeedEvent"];

/** Body that is sent to a webhook: an event, or a test. docs/guides/webhooks.md#what-arrives */
export interface WebhookEvent extends Omit<FeedEvent, "type"> {
  type: FeedEvent["type"] | "webhook.test";
}

/** Why a request is refused. */
export type WebhookRefusal =
  | "missing-header"
  | "invalid-timestamp"
  | "too-old"
  | "too-new"
  | "wrong-signature"
  | "invalid-body";

export interface WebhookRequest {
  /** The signing secret, or several while one replaces another. docs/guides/webhooks.md#rotating-the-secret */
  secret: string | readonly string[];
  /** The headers of the request: a `Headers`, or an object as in Node. */
  headers: Headers | Record<string, string | readonly string[] | undefined>;
  /** The body as it has arrived, before anything has parsed it. */
  body: string | ArrayBuffer | Uint8Array;
  /** Largest difference between the time of the request and now, in seconds: 300 by default. */
  toleranceS?: number;
  /** Milliseconds since 1970, for tests. */
  now?: () => number;
}

/** A request that is not genuine, or not of now. The receiver answers it with 400 or 401. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

const TOLERANCE_S = 300;
const PREFIX = "whsec_";
const VERSION = "v1,";

/**
 * The event in a request that a webhook of the server has sent. docs/guides/webhooks.md#verifying
 * @throws WebhookVerificationError for a request that is not genuine, whose time is too far from now, or whose body is
 *   no event
 * @throws TypeError for a secret that is none, and without any
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const { secret, headers, toleranceS = TOLERANCE_S, now = Date.now } = request;
  const secrets = [secret].flat();
  if (secrets.length === 0) throw new TypeError("There is no signing secret to verify with.");
  const keys = await Promise.all(secrets.map(importKey));
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    headerOf(headers, name),
  ) as [string, string, string];
  checkTime(timestamp, toleranceS, now());
  const body = bytesOf(request.body);
  const signed = joined(bytesOf(`${id}.${timestamp}.`), body);
  if (!(await isSigned(keys, signatures, signed)))
    throw new WebhookVerificationError("wrong-signature", "No signature of the request is of this secret.");
  return eventIn(body);
}

function importKey(secret: string): Promise<Key> {
  const key = decoded(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (!key || key.length === 0) throw new TypeError(`A signing secret is "${PREFIX}" and base64.`);
  return crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function headerOf(headers: WebhookRequest["headers"], name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : inAnyCase(headers, name);
  if (value) return value;
  throw new WebhookVerificationError("missing-header", `The request has no header ${name}.`);
}

/** Several classes can have this name, one of each library of requests. */
function isHeaders(headers: WebhookRequest["headers"]): headers is Headers {
  return typeof headers.get === "function";
}

/** Node writes names in lower case, gateways of clouds as they were sent. */
function inAnyCase(headers: Exclude<WebhookRequest["headers"], Headers>, name: string): string {
  const entry = Object.entries(headers).find(([written]) => written.toLowerCase() === name);
  return [entry?.[1] ?? []].flat().join(",");
}

function checkTime(timestamp: string, toleranceS: number, nowMs: number): void {
  if (!/^\d{1,15}$/.test(timestamp))
    throw new WebhookVerificationError("invalid-timestamp", "webhook-timestamp is no number of seconds.");
  const ageS = nowMs / 1000 - Number(timestamp);
  if (Math.abs(ageS) <= toleranceS) return;
  throw ageS > 0
    ? new WebhookVerificationError("too-old", `The request was signed more than ${toleranceS} seconds ago.`)
    : new WebhookVerificationError("too-new", `The request was signed more than ${toleranceS} seconds from now.`);
}

/** Whether one of the signatures is of one of the keys. WebCrypto compares in constant time. */
async function isSigned(keys: Key[], signatures: string, signed: Bytes): Promise<boolean> {
  const told = signatures.split(" ").flatMap((text) => {
    const signature = text.startsWith(VERSION) ? decoded(text.slice(VERSION.length)) : undefined;
    return signature ? [signature] : [];
  });
  const checks = keys.flatMap((key) => told.map((signature) => crypto.subtle.verify("HMAC", key, signature, signed)));
  return (await Promise.all(checks)).includes(true);
}

function eventIn(body: Bytes): WebhookEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    if (typeof event === "object" && event !== null && "type" in event && "data" in event) return event as WebhookEvent;
  } catch {
    // Told below, as any other body that is no event.
  }
  throw new WebhookVerificationError("invalid-body", "The body of the request is no event.");
}

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;
type Bytes = Uint8Array<ArrayBuffer>;

function bytesOf(body: WebhookRequest["body"]): Bytes {
  if (typeof body === "string") return new TextEncoder().encode(body) as Bytes;
  return new Uint8Array(body as ArrayBuffer);
}

function joined(first: Bytes, second: Bytes): Bytes {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** The bytes of a base64 text; undefined for an invalid one. */
function decoded(base64: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
