import { NOBODYS_URL } from "contact-workspace-pages/document";
import { BATCH_RECORDS_MAX, PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from "../../config/limits.ts";

export const KEY_DESCRIPTION = `[Get a key](${NOBODYS_URL}/docs/guides/get-a-key): the first start of a server prints one, and a command makes others. A key is of one user of a workspace, and either for everything or for reading only.`;

/** Text about all operations, as the first page of the reference. Markdown. */
export const INTRODUCTION = `
A JSON API for the people, companies, deals and tasks of a workspace. [The guides](${NOBODYS_URL}/docs/guides) explain how everything behaves, with examples. This reference is made from [the OpenAPI document](${NOBODYS_URL}/v1/openapi.json), from which [clients can be generated](${NOBODYS_URL}/docs/guides/clients).

## Authentication

Send your API key with every request: \`Authorization: Bearer <API_KEY>\`. A key belongs to one user of one workspace and sees what that user sees. A key for reading gets 403 for writes. No key yet? [Get a key](${NOBODYS_URL}/docs/guides/get-a-key).

## Answers

A record is answered as \`{ "data": { … } }\`, a list as \`{ "data": { "items": [ … ], "pagination": { "nextLink": "…" } } }\`. Success is always 200. New fields may appear at any time, so ignore what you do not know. Every answer has an \`X-Request-Id\`.

## Errors

An error is answered as \`{ "error": { "code", "message", "documentationUrl", "requestId", "timestamp", "details" } }\`. [What every code means and what to do about it](${NOBODYS_URL}/docs/errors). Another method than those documented for a path is answered with 405 and an \`Allow\` header.

## Lists

Lists give ${PAGE_LIMIT_DEFAULT} records at a time; \`limit\` takes 1 to ${PAGE_LIMIT_MAX}. When there is more, \`pagination.nextLink\` is the whole address of the next page. It is absent on the last one. Records that are added, changed or deleted meanwhile cause no record to be skipped or repeated.

## Retries

Send an \`Idempotency-Key\` with writes, a new UUID for each. When no answer arrives, send the same request with the same key again: it runs at most once, and you get the answer of the first attempt. Keys are kept for 24 hours.

## Limits

By default a user may send 600 requests in 60 seconds and 20 in 2 seconds; a batch takes up to ${BATCH_RECORDS_MAX} records. The headers \`X-RateLimit-*\` and \`RateLimit\` tell how much is left. Over the limit the answer is 429, and \`Retry-After\` says when to come back.

## Assistants

AI assistants work with the same data through \`/mcp\`, by the Model Context Protocol: [the tools, and how each assistant is connected](${NOBODYS_URL}/docs/guides/assistants). The [console](${NOBODYS_URL}/console) shows what was answered lately.

## Versions

The header \`X-API-Version\` names the version that you were written for; without it you get the latest. What is deprecated is announced by \`deprecations\` beside \`data\` and by the headers \`Deprecation\` and \`Sunset\`.
`.trim();
