import { ERRORS, type ErrorCode } from "../../base/contract/errors.ts";
import { ISSUE_CODES } from "../../base/contract/issues.ts";
import type { Schema } from "./schemas.ts";

const integer = { type: "integer", minimum: 0 };
const texts = { type: "array", items: { type: "string" } };

const issue = {
  type: "object",
  description:
    "One fault, in the form of a Zod issue. The code decides which members there are beside code, message and path",
  required: ["code", "message", "path"],
  properties: {
    code: { type: "string", enum: ISSUE_CODES },
    message: { type: "string" },
    path: {
      type: "array",
      items: { type: ["string", "integer"] },
      description: "Names and positions from the root of the body, or the name of a parameter",
    },
    expected: { type: "string", description: "For invalid_type: the expected type, or words" },
    received: { description: "For invalid_type: the type that was sent. For invalid_enum_value: the value" },
    minimum: { type: "number", description: "For too_small: the minimum" },
    maximum: { type: "number", description: "For too_big: the maximum" },
    type: {
      type: "string",
      enum: ["string", "array", "number"],
      description: "For too_small and too_big: the kind of value",
    },
    inclusive: { type: "boolean", description: "For too_small and too_big: true if the bound itself is allowed" },
    exact: { type: "boolean", description: "For too_small and too_big: true if only the bound is allowed" },
    options: { ...texts, description: "For invalid_enum_value: the allowed words" },
    validation: { type: "string", description: "For invalid_string: the expected form" },
    keys: { ...texts, description: "For unrecognized_keys: the unknown names" },
    params: {
      type: "object",
      description: "For custom: facts about it",
      properties: {
        key: { type: "string", description: "The match key of an upsert that finds other than one record" },
        candidates: { ...texts, description: "Ids of the records that it finds, at most ten" },
        records: { ...integer, description: "Records that an undo would take changes of back, when they are too many" },
      },
    },
  },
};

const window = {
  policy: { type: "string", description: "The name of the window" },
  limit: { ...integer, description: "Requests that it takes" },
  remaining: { ...integer, description: "Requests that are left in it" },
  windowSeconds: { ...integer, description: "Its length" },
  retryAfter: { type: "string", format: "date-time", description: "When it takes one more" },
};

const rateLimit = {
  ...window,
  policies: {
    type: "array",
    items: { $ref: "#/components/schemas/RateLimitPolicy" },
    description: "State of every window",
  },
};

const issues = {
  type: "array",
  items: { $ref: "#/components/schemas/Issue" },
  description: "Every fault of the request, not only the first",
};

const operation = { ...integer, description: "In a transaction: the place of the operation that failed" };

const credits = {
  ...integer,
  description: "Credits that the workspace has left, when an enrichment is refused for them",
};

/** Code → the schema of an error that tells more than others do, and its details. All other codes have none. */
const DETAILED: Partial<Record<ErrorCode, { name: string; isAlways: boolean; details: Schema }>> = {
  FORBIDDEN: { name: "ForbiddenError", isAlways: false, details: objectOf({ remaining: credits, operation }) },
  UNPROCESSABLE_ENTITY: { name: "ValidationError", isAlways: true, details: reference("ValidationDetails") },
  TOO_MANY_REQUESTS: { name: "RateLimitError", isAlways: false, details: reference("RateLimitDetails") },
};

const PLAIN = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => code !== "NOT_FOUND" && !(code in DETAILED));

/**
 * The schemas of the error body and of issues. What is in `details` depends on the code, so that the code alone tells
 * programs what else there is. docs/guides/errors.md#the-error-body, docs/guides/conventions.md#issues
 */
export const ERROR_SCHEMAS: Record<string, Schema> = {
  ApiError: {
    type: "object",
    required: ["error"],
    properties: {
      error: { oneOf: [...Object.values(DETAILED).map(({ name }) => reference(name)), reference("PlainError")] },
    },
  },
  ...Object.fromEntries(
    Object.entries(DETAILED).map(([code, { name, isAlways, details }]) => [
      name,
      errorSchema([code], details, isAlways),
    ]),
  ),
  PlainError: errorSchema(PLAIN, objectOf({ operation })),
  ValidationDetails: { ...objectOf({ issues, operation }), required: ["issues"] },
  RateLimitDetails: {
    ...objectOf(rateLimit),
    description: "The window that is full. Nothing when too many keys of an address were not valid",
  },
  RateLimitPolicy: { ...objectOf(window), required: Object.keys(window) },
  Issue: issue,
};

function errorSchema(codes: string[], details?: Schema, isAlways = false): Schema {
  const properties = {
    code: { type: "string", enum: codes },
    message: { type: "string", description: "Description of the error for people" },
    documentationUrl: { type: "string", format: "uri", description: "Page about the code, with a way out" },
    requestId: { type: "string", format: "uuid", description: "Name it when you report the error" },
    timestamp: { type: "string", format: "date-time" },
  };
  const required = [...Object.keys(properties), ...(isAlways ? ["details"] : [])];
  return { ...objectOf({ ...properties, ...(details && { details }) }), required };
}

function objectOf(properties: Schema): Schema {
  return { type: "object", properties };
}

function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
