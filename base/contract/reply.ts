import { type Answer, answered } from "./answer.ts";
import { type ApiError, ERRORS } from "./errors.ts";

// Bodies of answers are made here and nowhere else: the gateway sends them, and the transaction that saves an answer
// for replays saves the same bytes.

/**
 * The body of an answer, from what an action gave. `deprecations` is the JSON text of a list, and
 * undefined when nothing is deprecated. docs/guides/conventions.md#answers
 * @param requestId only where the body names its request
 */
export function dataBody(answer: Answer, deprecations?: string, requestId?: string): string {
  const { data, beside = {} } = answered(answer);
  const members = {
    ...beside,
    ...(deprecations !== undefined && { deprecations }),
    ...(requestId !== undefined && { requestId: JSON.stringify(requestId) }),
  };
  const others = Object.entries(members).map(([name, text]) => `,"${name}":${text}`);
  return `{"data":${data}${others.join("")}}`;
}

/** The body of an error. docs/guides/errors.md#the-error-body */
export function errorBody(error: ApiError, requestId: string, publicUrl: string): string {
  const { details } = error.data;
  return JSON.stringify({
    error: {
      code: error.type,
      message: error.message,
      documentationUrl: `${publicUrl}/docs/errors#${ERRORS[error.type].anchor}`,
      requestId,
      timestamp: new Date().toISOString(),
      ...(details && { details }),
    },
  });
}
