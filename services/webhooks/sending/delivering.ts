import { createHmac } from "node:crypto";
import { showTally } from "../../../base/budgets/tally.ts";
import { type TraceContext, traceIdFor, unrecorded } from "../../../base/tracing/trace-context.ts";
import { inSpan, type SpanEnd, tracerInUse } from "../../../base/tracing/tracer.ts";
import { madeAt, toId, type Uuid } from "../../../base/values/ids.ts";
import { retryAfterOf } from "../../../base/values/retry-after.ts";
import { WEBHOOK_RETRY_AFTER_MS_MAX } from "../../../config/limits.ts";
import { payload } from "../../../engine/feed/payload.ts";
import { seenBy } from "../../../engine/feed/sight.ts";
import { webhookPurpose } from "../../../engine/secrets/purposes.ts";
import type { Sealing } from "../../../engine/secrets/sealing.ts";
import type { Definitions } from "../../../model/definitions/definitions.ts";
import type { DefinitionsCache } from "../../../model/definitions/definitions-cache.ts";
import { TEST_EVENT } from "../../../model/resources/deliveries.ts";
import { wants } from "../subscriptions/matching.ts";
import { entriesFor } from "../webhooks/webhooks.takeover.ts";
import type { Attempt, Outcome } from "./attempt.ts";
import type { Connections } from "./connections.ts";
import type { Due, Result, Standing, Target } from "./deliveries.queries.ts";
import type { Queue } from "./queues.queries.ts";

/** Prefix of a signing secret, before its Base64. */
const PREFIX = "whsec_";

/** The signed part of a message: the bytes of the body as they are sent. */
interface Message {
  id: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: Buffer;
}

/**
 * The value of `webhook-signature`: a signature by each of the secrets, in their order, by the rules of Standard
 * Webhooks.
 * docs/guides/webhook-deliveries.md#the-request
 */
function signatureOf({ id, timestamp, body }: Message, secrets: readonly string[]): string {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`;
  });
  return signatures.join(" ");
}

const countAttempt = showTally("contact_workspace_webhook_attempts_total", "outcome", ["succeeded", "failed"]);

const USER_AGENT = "contact-workspace-webhooks";

/**
 * Time until the next look at a delivery whose signing secret cannot be decrypted. docs/guides/database.md#encryption
 */
const SEALED_WAIT_MS = 60_000;

/** The parts that deliveries need. */
export interface Means {
  /** The delivery as it stands now; null when it is gone, since its workspace is, or it was kept long enough. */
  standingOf(queue: Queue, due: Due): Promise<Standing | null>;
  definitionsCache: Pick<DefinitionsCache, "atLeast">;
  sealing(): Promise<Sealing>;
  attempt: Attempt;
  /** Is told of an error of encryption, with the words that a log needs: the key that is missing, by its id. */
  onSealed(error: Error): void;
  publicUrl: string;
  retryWaitsS: readonly number[];
  random(): number;
}

/** Outcome of a delivery's turn. */
export type Delivered =
  /** It was sent. `gone` is the target when that does not exist any more. */
  | { was: "sent"; result: Result; hasSucceeded: boolean; durationMs: number; gone: string | null }
  /** It ends without being sent, or waits for a key without which it cannot be signed. */
  | { was: "ended"; result: Result }
  /** This process does not hold the queue any more, or it is gone with all that it was for. */
  | { was: "lost" }
  /** The delivery has ended. */
  | { was: "settled" }
  /** It was made before the webhook became inactive. */
  | { was: "stopped" }
  /** The webhook takes nothing any more. */
  | { was: "closed"; isDeleted: boolean }
  /** The server was stopped, and the outcome of the request is unknown. It is sent again. */
  | { was: "interrupted" };

/**
 * Makes one attempt of a delivery. The event, its owner, and whether it is still wanted are read at this moment. So
 * nothing is sent that its owner cannot see, that the webhook no longer asks for, or that goes to a changed target.
 * docs/guides/webhook-deliveries.md#retries
 */
export async function deliver(
  means: Means,
  queue: Queue,
  due: Due,
  connections: Connections,
  signal: AbortSignal,
): Promise<Delivered> {
  const standing = await means.standingOf(queue, due);
  if (!standing) return { was: "lost" };
  const { webhook, webhookId, isStopped } = standing;
  if (!webhook) return { was: "closed", isDeleted: true };
  if (!standing.isHeld) return { was: "lost" };
  if (!standing.isPending) return { was: "settled" };
  if (webhook.status === "inactive") return { was: "closed", isDeleted: false };
  if (isStopped) return { was: "stopped" };
  const read = performance.now();
  const nowMs = () => standing.nowMs + performance.now() - read;
  const definitions = await means.definitionsCache.atLeast(queue.workspaceId, standing.definitionsVersion);
  const body = bodyOf(standing, webhook, definitions, means.publicUrl);
  const ending = { queue, uuid: due.uuid, period: due.period, waitMs: null, gone: null };
  if (body === "unwanted") return { was: "ended", result: { ...ending, status: "cancelled", attempt: null } };
  const at = new Date(nowMs());
  if (body === "gone") {
    const attempt = attemptOf(at, failure("the event is no longer kept"));
    return { was: "ended", result: { ...ending, status: "failed", attempt } };
  }
  const secrets = secretsOf(await means.sealing(), webhook, webhookPurpose(webhookId), at, means.onSealed);
  if (secrets === null)
    return { was: "ended", result: { ...ending, status: "pending", attempt: null, waitMs: SEALED_WAIT_MS } };
  const outcome = await send(means, standing, webhook.targetUrl, secrets, body.text, at, connections, signal);
  if (signal.aborted && outcome.responseStatus === null) return { was: "interrupted" };
  const attempt = attemptOf(at, outcome);
  const gone = outcome.responseStatus === 410 ? webhook.targetUrl : null;
  const ended = { outcome, attempts: standing.attempts, nowMs: nowMs(), random: means.random() };
  return {
    was: "sent",
    result: { ...ending, ...nextAfter(ended, means.retryWaitsS), attempt, gone },
    hasSucceeded: isSuccess(outcome.responseStatus),
    durationMs: outcome.durationMs,
    gone,
  };
}

async function send(
  { attempt }: Means,
  { eventId, requestId, attempts }: Standing,
  targetUrl: string,
  secrets: readonly string[],
  text: string,
  at: Date,
  connections: Connections,
  signal: AbortSignal,
): Promise<Outcome> {
  const id = toId("event", eventId);
  const timestamp = Math.floor(at.getTime() / 1000);
  // The bytes that are signed are the bytes that are sent.
  const body = Buffer.from(text);
  const headers = {
    "content-type": "application/json",
    "user-agent": USER_AGENT,
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatureOf({ id, timestamp, body }, secrets),
  };
  const traced = ({ traceparent }: TraceContext) =>
    attempt({ targetUrl, headers: { ...headers, traceparent }, body, connections }, signal);
  const outcome = await inAttemptSpan({ targetUrl, attempts, traceId: traceIdFor(requestId ?? eventId) }, traced);
  if (!signal.aborted) countAttempt(isSuccess(outcome.responseStatus) ? "succeeded" : "failed");
  return outcome;
}

/**
 * Makes an attempt in a trace: that of the change, whose id is made of the id of its request. While nothing is traced
 * the receiver gets the same trace id. docs/guides/monitoring.md#traces
 */
function inAttemptSpan(
  { targetUrl, attempts, traceId }: { targetUrl: string; attempts: number; traceId: string },
  attempt: (context: TraceContext) => Promise<Outcome>,
): Promise<Outcome> {
  const tracer = tracerInUse();
  if (!tracer) return attempt(unrecorded(traceId));
  // Path and query of a target may hold a secret.
  const { hostname, port, protocol } = new URL(targetUrl);
  const attributes = {
    "http.request.method": "POST",
    "server.address": hostname,
    "server.port": Number(port || (protocol === "https:" ? 443 : 80)),
    ...(attempts > 0 && { "http.request.resend_count": attempts }),
  };
  return inSpan(tracer, { name: "POST", kind: "client", traceId, attributes }, attempt, spanEndOf);
}

function spanEndOf({ responseStatus }: Outcome): SpanEnd {
  if (responseStatus === null) return { errorType: "no_response" };
  const attributes = { "http.response.status_code": responseStatus };
  return { attributes, errorType: responseStatus >= 400 ? String(responseStatus) : undefined };
}

/** The secrets that sign at a moment, the current one first; null when they cannot be opened here. */
function secretsOf(
  sealing: Sealing,
  { secret, replacedSecrets }: Pick<Target, "secret" | "replacedSecrets">,
  purpose: string,
  at: Date,
  onSealed: (error: Error) => void,
): string[] | null {
  const replaced = replacedSecrets.filter(({ until }) => new Date(until) > at);
  try {
    return [secret, ...replaced.map((one) => Buffer.from(one.secret, "base64"))].map((one) =>
      sealing.open(one, purpose),
    );
  } catch (error) {
    onSealed(error as Error);
    return null;
  }
}

function failure(error: string): Outcome {
  return { responseStatus: null, error, durationMs: 0, responseBody: "", retryAfter: null };
}

function attemptOf(at: Date, { responseStatus, error, durationMs, responseBody }: Outcome): object {
  return { at: at.toISOString(), responseStatus, error, durationMs, responseBody };
}

/**
 * The text that a delivery sends; or that its webhook or the owner may not have the event any more, or that it is gone.
 */
type Body = { text: string } | "unwanted" | "gone";

/**
 * The body of a delivery, as the owner of the webhook can see the event at this moment. The filters are checked again
 * with the same view, because a delivery reveals what its filter has selected.
 * docs/guides/webhook-deliveries.md#the-request
 */
function bodyOf(standing: Standing, webhook: Target, definitions: Definitions, publicUrl: string): Body {
  const { event, eventType, eventId, webhookId } = standing;
  const url = `${publicUrl}/v1/webhooks/${toId("webhook", webhookId)}`;
  if (eventType === TEST_EVENT) return { text: testPayload(eventId, webhookId, url) };
  if (!event) return "gone";
  const seen = seenBy(event, { definitions, userId: webhook.createdBy });
  const isWanted = seen !== null && wants(entriesFor(webhook, standing.madeAt), seen, definitions);
  return isWanted ? { text: payload(seen, url, publicUrl) } : "unwanted";
}

function testPayload(eventId: Uuid, webhookId: Uuid, url: string): string {
  const createdAt = madeAt(eventId).toISOString();
  const data = { id: toId("webhook", webhookId), url };
  return JSON.stringify({ id: toId("event", eventId), type: TEST_EVENT, createdAt, source: url, data });
}

/**
 * Share by which a wait is shorter or longer at most, so that deliveries that failed together do not all come back
 * together.
 */
const JITTER = 0.1;

/** Facts about an attempt that has ended. */
interface Ended {
  outcome: Pick<Outcome, "responseStatus" | "retryAfter">;
  /** Number of attempts before it. */
  attempts: number;
  /** The time of the database. */
  nowMs: number;
  /** From 0 to 1. */
  random: number;
}

/** Next state of a delivery after an attempt. */
type Next = { status: "succeeded" | "failed"; waitMs: null } | { status: "pending"; waitMs: number };

/** Whether a status says that the receiver has taken the event. */
function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/**
 * Whether and when a delivery is attempted again. docs/guides/webhook-deliveries.md#retries
 * @param waitsS the waits after the first attempts, in seconds
 */
export function nextAfter({ outcome, attempts, nowMs, random }: Ended, waitsS: readonly number[]): Next {
  const { responseStatus, retryAfter } = outcome;
  if (isSuccess(responseStatus)) return { status: "succeeded", waitMs: null };
  const waitS = waitsS[attempts];
  if (waitS === undefined || responseStatus === 410) return { status: "failed", waitMs: null };
  const waitMs = waitS * 1000 * (1 - JITTER + 2 * JITTER * random);
  const askedMs = Math.min(retryAfterOf(retryAfter, nowMs) ?? 0, WEBHOOK_RETRY_AFTER_MS_MAX);
  return { status: "pending", waitMs: Math.max(waitMs, askedMs) };
}
