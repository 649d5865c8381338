import { JsonError, parseJson } from "../../../../base/values/json.ts";
import { retryAfterOf } from "../../../../base/values/retry-after.ts";
import { ENRICHMENT_ANSWER_BYTES_MAX, ENRICHMENT_ANSWER_MS_MAX } from "../../../../config/limits.ts";
import type { Outcome, Provider, Question } from "./provider.ts";

/** The longest wait that a provider may ask for; a longer one is cut to it. docs/guides/enrichment.md#attempts */
export const RETRY_AFTER_MS_MAX = 10 * 60 * 1000;

/**
 * Wait that a `Retry-After` asks for: seconds, or a date of HTTP. Empty for a header that is missing, or says neither.
 * @param nowMs the time of this moment
 */
export function retryAfterMs(header: string | null, nowMs: number): { afterMs?: number } {
  const ms = retryAfterOf(header, nowMs);
  return ms === null ? {} : { afterMs: Math.min(ms, RETRY_AFTER_MS_MAX) };
}

interface Target {
  url: string;
  /** Sent as a bearer token. */
  token?: string | undefined;
  /** Longest time for an answer, its body included. */
  withinMs?: number;
}

/**
 * Asks a server of the operator's choice: the person is posted as JSON, and the answer has the fields that were found.
 * docs/guides/enrichment.md#the-http-provider
 */
export function httpProvider({ url, token, withinMs = ENRICHMENT_ANSWER_MS_MAX }: Target): Provider {
  return async ({ id, person, signal }) => {
    const late = AbortSignal.timeout(withinMs);
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: headersOf(id, token),
        body: person,
        // Any answer of a provider is an answer, and no other server learns of the person.
        redirect: "manual",
        signal: AbortSignal.any([signal, late]),
      });
      return await outcomeOf(response);
    } catch (error) {
      signal.throwIfAborted();
      return late.aborted ? tooLate(withinMs) : broken(error as Error);
    }
  };
}

function headersOf(id: Question["id"], token: string | undefined): Record<string, string> {
  return {
    "Content-Type": "application/json",
    Accept: "application/json",
    // Id by which a provider recognizes a repeated question.
    "Idempotency-Key": id,
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
}

async function outcomeOf(response: Response): Promise<Outcome> {
  const { ok, status, headers } = response;
  if (ok) return foundIn(await readBytes(response));
  // The body is not read. Without this its connection would wait for that.
  await response.body?.cancel();
  const answered = `The enrichment provider answered ${status}.`;
  if (status === 429 || status >= 500)
    return {
      again: { code: status === 429 ? "PROVIDER_BUSY" : "PROVIDER_FAILED", message: answered },
      ...retryAfterMs(headers.get("Retry-After"), Date.now()),
    };
  return { failed: { code: status < 400 ? "PROVIDER_REDIRECTED" : "PROVIDER_REFUSED", message: answered } };
}

/** The bytes of an answer; undefined when there are more than it may have. */
async function readBytes({ body }: Response): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > ENRICHMENT_ANSWER_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function foundIn(bytes: Buffer | undefined): Outcome {
  if (bytes === undefined)
    return {
      failed: {
        code: "PROVIDER_ANSWER_TOO_LARGE",
        message: `The answer of the enrichment provider has more than ${ENRICHMENT_ANSWER_BYTES_MAX} bytes.`,
      },
    };
  // 204 and an empty body say that nothing was found.
  if (bytes.length === 0) return { found: {} };
  try {
    return { found: parseJson(bytes) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const message = `The answer of the enrichment provider is not JSON: ${error.message}`;
    return { failed: { code: "PROVIDER_ANSWER_INVALID", message } };
  }
}

function tooLate(withinMs: number): Outcome {
  return {
    again: {
      code: "PROVIDER_TIMEOUT",
      message: `The enrichment provider did not answer within ${withinMs / 1000} seconds.`,
    },
  };
}

/** The cause is a code of the operating system, or of the HTTP client. The rest of its message may hold the address. */
function broken({ cause }: Error): Outcome {
  const { code } = (cause ?? {}) as { code?: unknown };
  const why = typeof code === "string" ? ` (${code})` : "";
  return {
    again: { code: "PROVIDER_UNREACHABLE", message: `The connection to the enrichment provider failed${why}.` },
  };
}
