import type { IncomingMessage } from "node:http";
import { ApiError } from "../../../base/contract/errors.ts";

/** The version that answers carry. docs/guides/conventions.md#version */
export const API_VERSION = "2025-06-09";
const SUPPORTED_VERSIONS = [API_VERSION, "2025-05-26"];

/**
 * @throws ApiError 400 for a version that is not served. A request without a version gets the latest.
 * docs/guides/conventions.md#version
 */
export function checkVersion(request: IncomingMessage): void {
  const version = request.headers["x-api-version"];
  if (version === undefined || SUPPORTED_VERSIONS.includes(String(version))) return;
  throw new ApiError(
    "INVALID_REQUEST",
    `The API version "${String(version).slice(0, 50)}" is not supported. Supported: ${SUPPORTED_VERSIONS.join(", ")}.`,
  );
}
