import type { ErrorText } from "contact-workspace-pages/errors";
import type { ErrorCode, ErrorDetails } from "../../../base/contract/errors.ts";

const BACK_OFF = "Send the request again after the seconds of `Retry-After`, and wait longer each time it fails again.";
const SAME_KEY =
  "Retry a write with the same `Idempotency-Key`: it then runs at most once, whatever became of the first attempt.";
const REPORT = "Report it with the `requestId` of the answer. It names the request in the log of the server.";

/** The texts of all codes; the compiler names a code that has none. docs/guides/errors.md#codes */
export const ERROR_TEXTS: Record<ErrorCode, ErrorText & { details?: ErrorDetails }> = {
  INVALID_REQUEST: {
    title: "The request cannot be read",
    meaning: [
      "The request could not be interpreted, so nothing was checked or done: the body is no JSON, is not UTF-8 or is nested deeper than 64 levels, its `Content-Type` is not `application/json`, the path or the query cannot be percent-decoded, or `X-API-Version` names a version that is not served.",
      "A request that can be read but breaks a rule is answered with 422 `UNPROCESSABLE_ENTITY` instead.",
    ],
    remedy: [
      "Read the message: it says what could not be read.",
      "Send bodies as UTF-8 JSON with `Content-Type: application/json`.",
      "Leave `X-API-Version` out, or send `2025-06-09`.",
    ],
    example: 'A body must be JSON in UTF-8, not "text/plain". Send it with Content-Type: application/json.',
  },
  IDEMPOTENCY_KEY_INVALID: {
    title: "The Idempotency-Key has not the right form",
    meaning: [
      "The header `Idempotency-Key` is empty, was sent more than once, is longer than 255 characters, or holds a space or a character outside of printable ASCII. The request was not run.",
    ],
    remedy: [
      "Send one key of 1 to 255 printable ASCII characters without spaces. A UUID v4 for every new request is best.",
    ],
    example: "An Idempotency-Key is sent once and has 1 to 255 printable ASCII characters without blanks.",
  },
  UNAUTHORIZED: {
    title: "No valid API key",
    meaning: [
      "The request has no `Authorization` header, more than one, one of another scheme, or one with a key that was mistyped, is unknown, was revoked or has expired. The message [says which](/docs/guides/access#why-a-request-is-401). Without a valid key unknown paths are answered like this too.",
      "An address that gets many of these answers in a short time gets 429 after them.",
    ],
    remedy: [
      "Send `Authorization: Bearer <API_KEY>` with every request.",
      "Check that the key is complete. It is shown once, when it is made, and cannot be looked up later.",
      "[Get a key](/docs/guides/get-a-key): ask the person who runs the server for a new key if yours is lost, has expired or was revoked.",
    ],
    example: "Send a valid API key: Authorization: Bearer <API_KEY>. The request has no Authorization header.",
  },
  FORBIDDEN: {
    title: "The key or its user may not do this",
    meaning: [
      "The key is valid, but it may only read, or its user has too low a role in the group: readers read, contributors also write records and values, admins also change the group, its members and its fields.",
      "Some records are read-only for most: notes of others, and imported interactions.",
      "An enrichment is also refused when the workspace has no credits left; `details.remaining` is 0 then.",
    ],
    remedy: ["Use a key with full access for writes.", "Ask an admin of the group for a higher role."],
    example: "This key may only read. Use a key of full access for writes.",
  },
  RESOURCE_NOT_FOUND: {
    title: "Nothing is there",
    meaning: [
      "The path leads nowhere, or an id or a name in it names nothing that the user of the key can see. What exists in a private group of others, or in another workspace, is answered in the same way as what does not exist.",
      "Paths are case-sensitive and have no slash at their end. An unknown object type is answered with a list of those that the group has.",
    ],
    remedy: [
      "Compare the path with the reference.",
      "Check the id, and that its prefix is of the right kind.",
      "Check that the user of the key is a member of the group.",
    ],
    example: "There is no person with the id per_01985b3e-7c1a-7f3e-9d52-3f6a1b8c4e70.",
  },
  NOT_FOUND: {
    title: "A record of a batch is not there",
    meaning: [
      "The id of one record of a batch names nothing that the user of the key can see. Only this record failed; the other records of the batch are not affected.",
    ],
    remedy: ["Leave the record out, or correct its id, and send it in a new batch with a new `Idempotency-Key`."],
    example: "There is no person with the id per_01985b3e-7c1a-7f3e-9d52-3f6a1b8c4e70.",
  },
  METHOD_NOT_ALLOWED: {
    title: "The path does not take this method",
    meaning: [
      "The path exists, but not with this method. The header `Allow` lists those that it takes. `OPTIONS` is not among them, since the API is not made to be called from pages of other origins.",
    ],
    remedy: ["Use one of the methods in `Allow`.", "Changes are made with `PATCH`; there is no `PUT`."],
    example: "PUT is not possible here. Possible: GET, HEAD, POST.",
  },
  REQUEST_TIMEOUT: {
    title: "The request came in too slowly",
    meaning: ["The headers did not arrive within 10 seconds, or the body not within 30. Nothing was run."],
    remedy: ["Send it again on a new connection.", "Split a large batch when the connection is slow."],
    example: "The body did not arrive within 30 seconds.",
  },
  IDEMPOTENCY_REQUEST_IN_PROGRESS: {
    title: "A request with this key is still running",
    meaning: ["An earlier request with the same `Idempotency-Key` has not finished yet. This one was not run."],
    remedy: [
      "Wait for the seconds of `Retry-After`, then send it again with the same key: once the earlier request has finished, you get its answer.",
    ],
    example: "A request with the same Idempotency-Key is still being processed. Try again.",
  },
  PAYLOAD_TOO_LARGE: {
    title: "The body is too large",
    meaning: [
      "The body has more than 10 MiB, or more than 500,000 members of objects and elements of lists. Nothing was run.",
    ],
    remedy: ["Split the batch into smaller ones."],
    example: "A body may have at most 10485760 bytes.",
  },
  UNPROCESSABLE_ENTITY: {
    title: "The request breaks a rule",
    meaning: [
      "The request could be read, but a value in its body, its query or its path breaks a rule: it is missing, of the wrong type, too long, unknown, or names something that is not there.",
      '`details.issues` lists every fault, not only the first: its `code`, a `message` for people, and the `path` of the value as a list of names and positions, like `["emails", 0]`.',
    ],
    remedy: [
      "Correct what the issues name, and send the request again. A request that was refused by a schema was not run, so the same `Idempotency-Key` may be used.",
      "`unrecognized_keys` means that the body has a member that the operation does not know: look for a slip of the pen.",
    ],
    example: "jobTitle: String must contain at most 500 character(s)",
    details: {
      issues: [
        {
          code: "too_big",
          message: "String must contain at most 500 character(s)",
          path: ["jobTitle"],
          maximum: 500,
          type: "string",
          inclusive: true,
          exact: false,
        },
      ],
    },
  },
  IDEMPOTENCY_KEY_REUSED: {
    title: "The key belongs to another request",
    meaning: [
      "The `Idempotency-Key` was used for a request with another method, path, query, version or body. This request was not run. Keys are kept for 24 hours.",
    ],
    remedy: ["Use a new key for every new request, and the same key only to repeat exactly the same request."],
    example: "This Idempotency-Key was used for a different request. Use a new key.",
  },
  IDEMPOTENCY_RESPONSE_NOT_STORED: {
    title: "The request has run, but its answer was not kept",
    meaning: [
      "An earlier request with the same `Idempotency-Key` has run, but its answer was too large to be kept (over 1 MiB), or was erased since with the data of a person. It was not run again.",
    ],
    remedy: [
      "Read the records to see what the first request did.",
      "Use a new key only when you want it to run once more.",
    ],
    example:
      "The request with this Idempotency-Key ran, but its response is not kept: it was too large, or was erased with the data of a person. Read the records to see what it did, or use a new key to run it again.",
  },
  TOO_MANY_REQUESTS: {
    title: "Too many requests",
    meaning: [
      "The user of the key has sent more requests than a quota allows; all keys of a user count together. By default the quotas are 600 requests in 60 seconds and 20 in 2 seconds. The request was not run and does not count.",
      "`details` says which quota was exceeded and what is left of all of them. Without a `policy` in it, there were too many requests with invalid keys from one address.",
    ],
    remedy: [
      "Wait for the seconds of `Retry-After`, then send the request again, with the same `Idempotency-Key` if it had one.",
      "Watch `X-RateLimit-Remaining` or `RateLimit` in every answer and slow down before it is 0.",
      "Send batches of up to 100 records instead of single writes.",
    ],
    example: "More than 20 requests in 2 seconds. Try again in 1 s.",
    details: {
      policy: "burst",
      limit: 20,
      remaining: 0,
      windowSeconds: 2,
      retryAfter: "2026-03-01T09:30:01.000Z",
      policies: [
        { policy: "default", limit: 600, remaining: 580, windowSeconds: 60, retryAfter: "2026-03-01T09:31:00.000Z" },
        { policy: "burst", limit: 20, remaining: 0, windowSeconds: 2, retryAfter: "2026-03-01T09:30:01.000Z" },
      ],
    },
  },
  INTERNAL_SERVER_ERROR: {
    title: "Something went wrong in the server",
    meaning: [
      "The server failed in a way that it did not expect. What the request would have changed is left as it was.",
      "The answer to a write with an `Idempotency-Key` is kept like any other: the same key gives this answer again.",
    ],
    remedy: [REPORT, "Check whether the write took effect, then send it again with a new `Idempotency-Key`."],
    example: "Something went wrong here. Name the requestId when you report it.",
  },
  SERVICE_UNAVAILABLE: {
    title: "A part of the server is away",
    meaning: [
      "A service, the database or the bus between them does not answer in time, or the server has as many requests as it can serve. It usually passes within seconds.",
    ],
    remedy: [BACK_OFF, SAME_KEY],
    example: "The service is not available right now. Try again.",
  },
  IDEMPOTENCY_UNAVAILABLE: {
    title: "The key could not be claimed",
    meaning: ["The server could not reach the store of idempotency keys, so it did not run the request."],
    remedy: [BACK_OFF, SAME_KEY],
    example: "The Idempotency-Key could not be claimed and nothing was processed. Try again with the same key.",
  },
};
