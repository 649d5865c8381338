import { ERRORS, type ErrorCode } from "../../lib/contract/errors.ts";
import { ISSUE_CODES } from "../../lib/contract/issues.ts";
import { NOBODYS_URL } from "../../services/gateway/docs/document.ts";
import { ERROR_TEXTS } from "../../services/gateway/docs/error-texts.ts";
import { EXAMPLE_UUID } from "./examples.ts";
import { ALWAYS, DEPRECATED, type HeaderName, headerRefs, QUOTA } from "./headers.ts";
import type { Operation } from "./operations.ts";
import type { Schema } from "./schemas.ts";

const TIMESTAMP = "2026-03-01T09:30:00.000Z";

const integer = { type: "integer", minimum: 0 };
const texts = { type: "array", items: { type: "string" } };

const issue = {
  type: "object",
  description: "One fault, in the form of a Zod issue. What it has beside code, message and path depends on its code",
  required: ["code", "message", "path"],
  properties: {
    code: { type: "string", enum: ISSUE_CODES },
    message: { type: "string" },
    path: {
      type: "array",
      items: { type: ["string", "integer"] },
      description: "Names and positions from the root of the body, or the name of a parameter",
    },
    expected: { type: "string", description: "Of invalid_type: the type, or the words, that are taken" },
    received: { description: "Of invalid_type: the type that came. Of invalid_enum_value: the value" },
    minimum: { type: "number", description: "Of too_small: the least that is taken" },
    maximum: { type: "number", description: "Of too_big: the most that is taken" },
    type: {
      type: "string",
      enum: ["string", "array", "number"],
      description: "Of too_small and too_big: what is measured",
    },
    inclusive: { type: "boolean", description: "Of too_small and too_big: whether the bound itself is taken" },
    exact: { type: "boolean", description: "Of too_small and too_big: whether nothing but the bound is taken" },
    options: { ...texts, description: "Of invalid_enum_value: the words that are taken" },
    validation: { type: "string", description: "Of invalid_string: the form that is wanted" },
    keys: { ...texts, description: "Of unrecognized_keys: the names that are not known" },
  },
};

const window = {
  policy: { type: "string", description: "Of TOO_MANY_REQUESTS: the name of the window" },
  limit: { ...integer, description: "Requests that it takes" },
  remaining: { ...integer, description: "Requests that are left in it" },
  windowSeconds: { ...integer, description: "Its length" },
  retryAfter: { type: "string", format: "date-time", description: "When it takes one more" },
};

/** The schemas of the error body and of issues. docs/guides/errors.md#the-error-body, docs/guides/conventions.md#issues */
export const ERROR_SCHEMAS: Record<string, Schema> = {
  ApiError: {
    type: "object",
    required: ["error"],
    properties: {
      error: {
        type: "object",
        required: ["code", "message", "documentationUrl", "requestId", "timestamp"],
        properties: {
          code: { type: "string", enum: Object.keys(ERRORS).filter((code) => code !== "NOT_FOUND") },
          message: { type: "string", description: "What went wrong, for people" },
          documentationUrl: { type: "string", format: "uri", description: "What the code means and what to do" },
          requestId: { type: "string", format: "uuid", description: "Name it when you report the error" },
          timestamp: { type: "string", format: "date-time" },
          details: { $ref: "#/components/schemas/ErrorDetails" },
        },
      },
    },
  },
  ErrorDetails: {
    type: "object",
    description: "What there is to know besides. Which members there are depends on the code",
    properties: {
      issues: {
        type: "array",
        items: { $ref: "#/components/schemas/Issue" },
        description: "Of UNPROCESSABLE_ENTITY: every fault of the request",
      },
      ...window,
      remaining: { ...integer, description: "Requests that are left in the window that is full, or credits" },
      policies: {
        type: "array",
        items: { $ref: "#/components/schemas/RateLimitPolicy" },
        description: "Of TOO_MANY_REQUESTS: how every window stands",
      },
    },
  },
  RateLimitPolicy: { type: "object", required: Object.keys(window), properties: window },
  Issue: issue,
};

/** Of errors that a write with an Idempotency-Key may get again. docs/guides/idempotency.md#what-is-not-saved */
const SAVED: HeaderName[] = ["Idempotent-Replayed"];

/** Status → name of the answer that operations share, and the headers that it has beside those of every answer. */
const ANSWERS: Record<number, { name: string; headers?: HeaderName[]; withQuota: boolean; isBare?: boolean }> = {
  400: { name: "BadRequest", withQuota: true },
  401: { name: "Unauthorized", headers: ["WWW-Authenticate"], withQuota: false },
  403: { name: "Forbidden", headers: SAVED, withQuota: true },
  404: { name: "NotFound", headers: SAVED, withQuota: true },
  // The HTTP server itself gives it, when nothing is known of the request yet.
  408: { name: "RequestTimeout", withQuota: false, isBare: true },
  409: { name: "Conflict", headers: ["Retry-After"], withQuota: true },
  413: { name: "PayloadTooLarge", withQuota: true },
  422: { name: "UnprocessableEntity", headers: SAVED, withQuota: true },
  429: { name: "TooManyRequests", headers: ["Retry-After"], withQuota: true },
  500: { name: "InternalServerError", headers: SAVED, withQuota: true },
  503: { name: "ServiceUnavailable", headers: ["Retry-After"], withQuota: true },
};

/** The shared error answers, with an example of every code that comes with their status. */
export function errorAnswers(): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(ANSWERS).map(([status, { name, headers = [], withQuota, isBare }]) => {
      const codes = (Object.keys(ERRORS) as ErrorCode[]).filter(
        (code) => String(ERRORS[code].status) === status && code !== "NOT_FOUND",
      );
      const examples = Object.fromEntries(
        codes.map((code) => [code, { summary: ERROR_TEXTS[code].title, value: errorExample(code) }]),
      );
      const content = { "application/json": { schema: { $ref: "#/components/schemas/ApiError" }, examples } };
      const description = codes.map((code) => `\`${code}\`: ${ERROR_TEXTS[code].title}`).join("\n\n");
      if (isBare) return [name, { description }];
      const all = [...ALWAYS, ...(withQuota ? QUOTA : []), ...DEPRECATED, ...headers];
      return [name, { description, headers: headerRefs(all), content }];
    }),
  );
}

/**
 * References to the errors that an operation can answer. 405 is none of them, since it is answered when no operation is
 * found.
 */
export function errorRefs({ route, params, isWrite }: Operation): Schema {
  const hasPath = route.path.includes("{");
  const sendsBody = route.method !== "GET";
  const statuses = [
    400,
    401,
    403,
    ...(hasPath ? [404] : []),
    ...(sendsBody ? [408] : []),
    ...(isWrite ? [409] : []),
    ...(sendsBody ? [413] : []),
    ...(sendsBody || Object.keys(params).length > 0 ? [422] : []),
    429,
    500,
    503,
  ];
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${ANSWERS[status]?.name}` }]),
  );
}

function errorExample(code: ErrorCode): Schema {
  const { example, details } = ERROR_TEXTS[code];
  const documentationUrl = `${NOBODYS_URL}/docs/errors#${ERRORS[code].anchor}`;
  return {
    error: {
      code,
      message: example,
      documentationUrl,
      requestId: EXAMPLE_UUID,
      timestamp: TIMESTAMP,
      ...(details && { details }),
    },
  };
}
