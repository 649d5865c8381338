import { ERRORS } from "../../lib/contract/errors.ts";
import { ISSUE_CODES } from "../../lib/contract/issues.ts";
import type { Schema } from "./schemas.ts";

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
