import type { IncomingMessage } from "node:http";
import { IDEMPOTENCY_KEY_LENGTH_MAX } from "../../../config/limits.ts";
import { ApiError } from "../../../lib/contract/errors.ts";
import { headerLines } from "../connection/head.ts";

const FORM = new RegExp(`^[!-~]{1,${IDEMPOTENCY_KEY_LENGTH_MAX}}$`);

/**
 * The Idempotency-Key of a request; undefined when it has none. Node joins repeated header lines into one, so the raw ones are
 * looked at. docs/guides/idempotency.md#keys
 * @throws ApiError 400 for a key that is empty, repeated, too long, or not printable ASCII
 */
export function idempotencyKeyOf(request: IncomingMessage): string | undefined {
  const [key, second] = headerLines(request, "idempotency-key");
  if (key === undefined) return undefined;
  if (second === undefined && FORM.test(key)) return key;
  const message = `An Idempotency-Key is sent once and has 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} printable ASCII characters without blanks.`;
  throw new ApiError("IDEMPOTENCY_KEY_INVALID", message);
}
