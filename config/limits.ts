const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND_MS = 1000;

/** Largest body of a request. gaps 2, "400 or 422": over it 413. */
export const BODY_BYTES_MAX = 10 * MIB;

/** Deepest nesting of a JSON body. gaps 2, "400 or 422": over it 400. */
export const JSON_DEPTH_MAX = 64;

/** Headers and URL of a request together. gaps 2, "400 or 422": over it 400, 414 or 431 and a closed connection. */
export const HEAD_BYTES_MAX = 32 * KIB;

/** How long headers may take to arrive. gaps 8: then 408 or a closed connection. */
export const HEADERS_WAIT_MS = 10 * SECOND_MS;

/** How long a body may take to arrive. gaps 8: then 408 or a closed connection. */
export const BODY_WAIT_MS = 30 * SECOND_MS;

/** How long a call of an action may take; leaves the gateway time to answer 503 within 10 s of the last byte. gaps 8. */
export const CALL_MS_MAX = 8 * SECOND_MS;

/** How long a request may take altogether, but for its body; the rest of the 10 s is for sending the answer. gaps 8. */
export const REQUEST_MS_MAX = 9.5 * SECOND_MS;

/** What a 503 asks clients to wait. gaps 8: `Retry-After`. */
export const RETRY_AFTER_S = 1;

/** How long a stopping process waits for running requests; none of them may take longer. gaps 8. */
export const DRAIN_MS_MAX = 10 * SECOND_MS;

/** Records of a page without `limit`. API document, "Limits". */
export const PAGE_LIMIT_DEFAULT = 20;

/** Records of a page at most. API document, "Limits". */
export const PAGE_LIMIT_MAX = 100;

/** Length of a cursor. API document, "Limits". */
export const CURSOR_LENGTH_MAX = 512;

/** Records of a batch. API document, "Limits": more are rejected as a whole with 422. */
export const BATCH_RECORDS_MAX = 100;

/** Length of the `{objectType}` segment of a path. API document, "Limits". */
export const OBJECT_TYPE_LENGTH_MAX = 500;

/** Length of the name of a group. docs/guides/access.md#groups */
export const GROUP_NAME_LENGTH_MAX = 255;

/** Length of the name of a custom field. docs/guides/custom-fields.md#definitions */
export const FIELD_NAME_LENGTH_MAX = 255;

/** Length of the label of an option. docs/guides/custom-fields.md#options */
export const LABEL_LENGTH_MAX = 500;

/** Length of the e-mail address of a user. docs/guides/access.md#users */
export const EMAIL_LENGTH_MAX = 320;

/** Length of a text in a filter: that of the longest text of any field. docs/guides/filters.md#text */
export const FILTER_TEXT_LENGTH_MAX = 5000;

/** Conditions of one list request. gaps 2. */
export const FILTER_CONDITIONS_MAX = 50;

/** Values of one condition. gaps 2. */
export const FILTER_VALUES_MAX = 100;

/** Length of an Idempotency-Key. API document, "Idempotency", rule 1. */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;

/** Largest answer that is kept for a replay. API document, "Idempotency", rule 2. */
export const SAVED_RESPONSE_BYTES_MAX = MIB;
