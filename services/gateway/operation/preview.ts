import type { IncomingMessage } from "node:http";
import { ApiError, unprocessable } from "../../../base/contract/errors.ts";
import { custom } from "../../../base/contract/issues.ts";
import type { Schemas } from "../action/schemas.ts";
import type { Exchange } from "../connection/exchange.ts";
import { headerLines } from "../connection/head.ts";
import { isWrite } from "./routes.ts";

const HEADER = "Dry-Run";

/**
 * Whether a write is to be tried and not kept. docs/guides/preview.md#the-header
 * @throws ApiError 400 for any other value than `true`, and for several
 */
export function wantsPreview(request: IncomingMessage): boolean {
  const [value, second] = headerLines(request, "dry-run");
  if (value === undefined) return false;
  if (value === "true" && second === undefined) return true;
  throw new ApiError("INVALID_REQUEST", `The header ${HEADER} is sent once, with the value true.`);
}

/** Marks all answers to a request for a preview, also those that refuse it. docs/guides/preview.md#the-answer */
export function markPreview({ request, method, path, found, headers, known }: Exchange): void {
  const [value, second] = headerLines(request, "dry-run");
  if (value !== "true" || second !== undefined || method === "GET" || method === "HEAD") return;
  if (!path.startsWith("/v1/") || (found?.route && !isWrite(found.route))) return;
  headers[HEADER] = "true";
  known.isPreview = true;
}

/**
 * Refuses the preview of a write that has none. docs/guides/preview.md#writes-without-a-preview
 * @throws ApiError 422
 */
export function refusePreview({ isPreview }: { isPreview: boolean }, schemas: Schemas): void {
  if (!isPreview || schemas.some(({ properties }) => "dryRun" in properties)) return;
  throw unprocessable([custom([HEADER], "This operation has no preview. Send it without the header, or not at all")]);
}
