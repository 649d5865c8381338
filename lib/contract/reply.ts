import { type ApiError, ERRORS } from "./errors.ts";

// The bytes of answers are made here, by the gateway and by the transaction that saves them for a replay.

/** `{ data }` around JSON text that an action made. `deprecations` as JSON text of a list, when the operation is deprecated. */
export function dataBody(data: string, deprecations?: string): string {
  return deprecations === undefined ? `{"data":${data}}` : `{"data":${data},"deprecations":${deprecations}}`;
}

/** The error body. API document, "Errors". */
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
