import { createHash } from "node:crypto";
import { canonical } from "../operation/canonical.ts";

/**
 * A hash of a call. What makes two calls the same is the tool and its arguments, which are no method and path: so a key
 * of a request cannot be used for a call, nor one of a call for a request. docs/guides/assistants.md#retries
 */
export function callFingerprint(tool: string, { idempotencyKey: _, ...args }: Record<string, unknown>): string {
  return createHash("sha256")
    .update(canonical(["tool", tool, args]))
    .digest("hex");
}
