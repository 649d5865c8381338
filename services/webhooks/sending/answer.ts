import type { IncomingMessage } from "node:http";

/** Maximum length of a body that is kept with an attempt. docs/guides/webhook-deliveries.md#the-request */
const KEPT_BYTES = 1024;

/** The kept part of an answer whose headers have arrived. */
export interface AnswerRead {
  responseStatus: number;
  responseBody: string;
  retryAfter: string | null;
}

/**
 * Reads an answer, at most so many bytes of its body; then its connection is closed. What goes wrong after the headers have come
 * does not matter any more: the status has told how the delivery ended.
 */
export async function answerOf(response: IncomingMessage, bytesMax: number): Promise<AnswerRead> {
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
    // The connection broke, or the time was up. What has come is kept.
  }
  return Buffer.concat(chunks).subarray(0, KEPT_BYTES);
}

/** Bytes as a text that PostgreSQL takes: those that are none are replaced, and a character that was cut in half is left out. */
function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll("\0", "\ufffd");
}
