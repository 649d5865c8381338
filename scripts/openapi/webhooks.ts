import { NOBODYS_URL } from "contact-workspace-pages/document";
import { toId, type Uuid } from "../../base/values/ids.ts";
import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType, subjectId, subjectPath } from "../../model/events.ts";
import type { Schema } from "./schemas.ts";

// The id of everything in the examples.
const UUID = "019f8a3b-1a00-7d42-8f10-6b5c4d3e2f1a" as Uuid;

const DESCRIPTION =
  "The server sends this to the `targetUrl` of each webhook that subscribes to the type and whose owner sees the event. Verify the signature over the bytes of the body before you use it. Attempts are repeated for three days until one is answered with 2xx.";

/**
 * The requests that the server sends to webhooks, by the type of their event.
 * docs/guides/webhook-deliveries.md#the-request
 */
export function webhookRequests(): Record<string, Schema> {
  return Object.fromEntries(EVENT_TYPE_NAMES.map((type) => [type, { post: requestOf(type) }]));
}

function requestOf(type: EventType): Schema {
  return {
    operationId: `receive${inCamelCase(type)}`,
    tags: ["Webhooks"],
    summary: EVENT_TYPES[type].summary,
    description: DESCRIPTION,
    // A receiver knows the server by the signature. There is no key in it.
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { "application/json": { schema: schemaOf(type), example: exampleOf(type) } },
    },
    responses: {
      "2XX": { description: "The event has arrived. The body of the answer does not matter" },
      "410": { description: "The receiver is gone: the webhook becomes inactive at once" },
      default: { description: "Anything else, a redirect too, is a failure, and the event is sent again later" },
    },
  };
}

const HEADERS = [
  header("webhook-id", "The id of the event, the same at each attempt", { type: "string" }, toId("event", UUID)),
  header(
    "webhook-timestamp",
    "When the attempt was made, in seconds since 1970",
    { type: "string", pattern: "^\\d+$" },
    "1772442000",
  ),
  header(
    "webhook-signature",
    "`v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`, once for each secret that signs, divided by blanks",
    { type: "string" },
    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  ),
];

function header(name: string, description: string, schema: Schema, example: string): Schema {
  return { name, in: "header", required: true, description, schema, example };
}

function schemaOf(type: EventType): Schema {
  const { changes, details } = EVENT_TYPES[type];
  const properties = {
    id: { type: "string", description: "The record, note or reminder" },
    url: { type: "string", format: "uri", description: "Address of the record, even after it was deleted" },
    ...(changes && { changes: { type: "array", minItems: 1, items: { $ref: "#/components/schemas/Change" } } }),
    ...(details && {
      details: {
        type: "object",
        required: Object.keys(details),
        properties: eachOf(details, ({ example: _, ...schema }) => schema),
      },
    }),
  };
  return {
    title: `${inCamelCase(type)}Event`,
    type: "object",
    required: ["id", "type", "createdAt", "source", "data"],
    properties: {
      id: { type: "string", description: "evt_ and a uuid, the same for each webhook" },
      type: { type: "string", const: type },
      createdAt: { type: "string", format: "date-time" },
      source: { type: "string", format: "uri", description: "The URL of the webhook" },
      data: { type: "object", required: Object.keys(properties), properties },
    },
  };
}

function exampleOf(type: EventType): object {
  const { changes, details } = EVENT_TYPES[type];
  const event = { type, recordId: UUID, body: { home: UUID, objectType: "Deals" } };
  return {
    id: toId("event", UUID),
    type,
    createdAt: "2026-03-02T09:00:00.123Z",
    source: `${NOBODYS_URL}/v1/webhooks/${toId("webhook", UUID)}`,
    data: {
      id: subjectId(event),
      url: `${NOBODYS_URL}${subjectPath(event)}`,
      ...(changes && { changes }),
      ...(details && { details: eachOf(details, ({ example }) => example) }),
    },
  };
}

/** `person.groups_updated` as `PersonGroupsUpdated`. */
function inCamelCase(type: EventType): string {
  return type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

type Details = NonNullable<(typeof EVENT_TYPES)[EventType]["details"]>;

function eachOf(details: Details, part: (schema: Details[string]) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).map(([name, schema]) => [name, part(schema)]));
}
