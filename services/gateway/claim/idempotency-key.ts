import type { IncomingMessage } from "node:http";
import { ApiError } from "../../../base/contract/errors.ts";
import { IDEMPOTENCY_KEY_LENGTH_MAX } from "../../../config/limits.ts";
import { headerLines } from "../connection/head.ts";

const FORM = new RegExp(`^[!-~]{1,${IDEMPOTENCY_KEY_LENGTH_MAX}}$`);

/** The form of a key, in words. */
export const KEY_FORM = `1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} printable ASCII characters without blanks`;

/** Whether a text has the form of a key. docs/guides/idempotency.md#keys */
export function isIdempotencyKey(text: string): boolean {
  return FORM.test(text);
}

/**
 * The Idempotency-Key of a request; undefined when it has none. Node joins repeated header lines into one, so the raw
 * ones are looked at. docs/guides/idempotency.md#keys
 * @throws ApiError 400 for a key that is empty, repeated, too long, or not printable ASCII
 */
export function idempotencyKeyOf(request: IncomingMessage): string | undefined {
  const [key, second] = headerLines(request, "idempotency-key");
  if (key === undefined) return undefined;
  if (second === undefined && isIdempotencyKey(key)) return key;
  const message = `An Idempotency-Key is sent once and has ${KEY_FORM}.`;
  throw new ApiError("IDEMPOTENCY_KEY_INVALID", message);
}
