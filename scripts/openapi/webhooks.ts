import { NOBODYS_URL } from "contact-workspace-pages/document";
import { toId, type Uuid } from "../../base/values/ids.ts";
import { EVENT_TYPES, type EventType } from "../../model/events.ts";
import type { Schema } from "./schemas.ts";

// The id of everything in the examples.
const UUID = "019f8a3b-1a00-7d42-8f10-6b5c4d3e2f1a" as Uuid;
const GROUP_ID = toId("group", UUID);

const text = { type: "string" };
const time = { type: "string", format: "date-time" };
const texts = { type: "array", items: text };

/** Members of an event type beside the record, with an example. docs/guides/events.md#the-event */
interface Told {
  summary: string;
  changes?: object[];
  details?: { properties: Record<string, Schema>; example: object };
}

const ABOUT = {
  properties: { entityId: text, entityType: { type: "string", enum: ["person", "company", "object"] } },
  example: { entityId: toId("person", UUID), entityType: "person" },
};
const GROUPS = [{ path: ["groups"], type: "add", value: [{ id: GROUP_ID }] }];
const NAME = { path: ["name"], type: "set", value: "Analytical Engines" };

const TOLD: Readonly<Record<EventType, Told>> = {
  "person.created": { summary: "A person was made" },
  "person.updated": {
    summary: "Fields, companies or custom values of a person changed",
    changes: [{ path: ["jobTitle"], type: "set", value: "Rear admiral" }],
  },
  "person.deleted": {
    summary: "A person was deleted, or merged into another one",
    details: {
      properties: { fullName: text, firstName: text, lastName: text, emails: texts },
      example: { fullName: "Grace Hopper", firstName: "Grace", lastName: "Hopper", emails: ["grace@navy.test"] },
    },
  },
  "person.groups_updated": { summary: "A person was added to groups or taken out of some", changes: GROUPS },
  "person.workspace_interaction_metadata_updated": {
    summary: "Counts or times of the workspace's interactions with a person changed",
    changes: [{ path: ["interactionMetadata", "workspace", "interactionCount"], type: "set", value: 12 }],
  },
  "company.created": { summary: "A company was made" },
  "company.updated": { summary: "Fields or custom values of a company changed", changes: [NAME] },
  "company.deleted": {
    summary: "A company was deleted, or merged into another one",
    details: {
      properties: { name: text, emails: texts },
      example: { name: "Analytical Engines", emails: ["hello@engines.test"] },
    },
  },
  "company.groups_updated": { summary: "A company was added to groups or taken out of some", changes: GROUPS },
  "object.created": { summary: "An object of any type was made" },
  "object.updated": { summary: "The name, links or custom values of an object changed", changes: [NAME] },
  "object.deleted": {
    summary: "An object was deleted, or merged into another one",
    details: { properties: { name: text }, example: { name: "Analytical Engines" } },
  },
  "note.created": { summary: "A note was made" },
  "note.updated": {
    summary: "The content or visibility of a note changed",
    changes: [{ path: ["visibility"], type: "set", value: "public" }],
  },
  "note.deleted": { summary: "A note was deleted, by itself or with its record", details: ABOUT },
  "reminder.created": { summary: "A reminder was made" },
  "reminder.updated": {
    summary: "A reminder changed",
    changes: [{ path: ["name"], type: "set", value: "Call Grace" }],
  },
  "reminder.deleted": { summary: "A reminder was deleted, by itself or with its record", details: ABOUT },
  "reminder.triggered": {
    summary: "A reminder has fired",
    details: {
      properties: { lastTriggeredTime: time, nextTriggeredTime: { type: ["string", "null"], format: "date-time" } },
      example: { lastTriggeredTime: "2026-03-02T09:00:00.000Z", nextTriggeredTime: "2026-03-09T09:00:00.000Z" },
    },
  },
};

const DESCRIPTION =
  "The server sends this to the `targetUrl` of each webhook that subscribes to the type and whose owner sees the event. Verify the signature over the bytes of the body before you use it. Attempts are repeated for three days until one is answered with 2xx.";

/** The requests that the server sends to webhooks, by the type of their event. docs/guides/webhook-deliveries.md#the-request */
export function webhookRequests(): Record<string, Schema> {
  const types = Object.keys(TOLD) as EventType[];
  return Object.fromEntries(types.map((type) => [type, { post: requestOf(type) }]));
}

function requestOf(type: EventType): Schema {
  return {
    operationId: `receive${inCamelCase(type)}`,
    tags: ["Webhooks"],
    summary: TOLD[type].summary,
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
  const { changes, details } = TOLD[type];
  const properties = {
    id: { type: "string", description: "The record, note or reminder" },
    url: { type: "string", format: "uri", description: "Where it is found, or was found before it was deleted" },
    ...(changes && { changes: { type: "array", minItems: 1, items: { $ref: "#/components/schemas/Change" } } }),
    ...(details && {
      details: { type: "object", required: Object.keys(details.properties), properties: details.properties },
    }),
  };
  return {
    title: `${inCamelCase(type)}Event`,
    type: "object",
    required: ["id", "type", "createdAt", "source", "data"],
    properties: {
      id: { type: "string", description: "evt_ and a uuid, the same for each webhook" },
      type: { type: "string", const: type },
      createdAt: time,
      source: { type: "string", format: "uri", description: "The URL of the webhook" },
      data: { type: "object", required: Object.keys(properties), properties },
    },
  };
}

const PATHS = { person: "people/", company: "companies/", note: "notes/", reminder: "reminders/" };

function exampleOf(type: EventType): object {
  const kind = EVENT_TYPES[type];
  const { changes, details } = TOLD[type];
  const id = toId(kind, UUID);
  const path = kind === "object" ? `groups/${GROUP_ID}/Deals/` : PATHS[kind];
  return {
    id: toId("event", UUID),
    type,
    createdAt: "2026-03-02T09:00:00.123Z",
    source: `${NOBODYS_URL}/v1/webhooks/${toId("webhook", UUID)}`,
    data: {
      id,
      url: `${NOBODYS_URL}/v1/${path}${id}`,
      ...(changes && { changes }),
      ...(details && { details: details.example }),
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
