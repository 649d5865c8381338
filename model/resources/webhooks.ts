import { closed, oneOf, type TSchema, Type } from "../../base/contract/schema.ts";
import { TARGET_URL_LENGTH_MAX, WEBHOOK_NAME_LENGTH_MAX } from "../../config/limits.ts";
import type { Binder } from "../../database/binder.ts";
import { type Field, inColumn } from "../fields/field.ts";
import { createdAt, id } from "../fields/server.ts";
import { requiredText } from "../fields/texts.ts";
import { defineResource, type Resource, type Row, type Viewer } from "./resource.ts";
import { type SubscribedEvent, shownSubscribedEventsSchema, subscribedEventsSchema } from "./subscribed-events.ts";
import { entriesSeenBy } from "./subscription-filters.ts";

const STATUSES = ["active", "inactive"] as const;

const defined = defineResource({
  kind: "webhook",
  title: "Webhook",
  chapter: "Deliveries of events to your own URL.",
  table: "webhooks",
  rowColumns: {
    createdBy: "created_by",
    secret: "secret",
    replacedSecrets: "replaced_secrets",
    keyIds: "key_ids",
    takenOver: "taken_over",
  },
  access: { sees: seesWebhook, seenPart: webhookSeenBy },
  fields: {
    id: id("webhook"),
    name: requiredText("name", { min: 0, max: WEBHOOK_NAME_LENGTH_MAX, example: "New people to the newsletter" }),
    targetUrl: targetUrl(),
    subscribedEvents: subscribedEvents(),
    redactedSigningSecret: redactedSigningSecret(),
    status: status(),
    createdAt: createdAt(),
  },
});

/** Webhooks: docs/guides/webhooks.md#fields. A new one is active; updates alone take a status. */
export const webhooks: Resource = {
  ...defined,
  updateBody: closed(
    { ...defined.updateBody.properties, status: Type.Optional(oneOf(STATUSES)) },
    { title: "WebhookUpdate" },
  ),
};

/**
 * A webhook as the two requests answer it that hand out its secret, which is whole there.
 * docs/guides/webhooks.md#the-signing-secret
 */
export const webhookWithSecretSchema = Type.Object(
  Object.fromEntries(
    Object.entries(webhooks.schema.properties as Record<string, TSchema>).map(([name, schema]) =>
      name === "redactedSigningSecret" ? ["signingSecret", signingSecretSchema()] : [name, schema],
    ),
  ),
  { title: "WebhookWithSecret" },
);

function signingSecretSchema() {
  return Type.String({ example: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDb0VYkQQ2ZWE=" });
}

function targetUrl(): Field {
  const example = "https://example.com/webhooks/contacts";
  return {
    read: Type.String({ example }),
    write: Type.String({ maxLength: TARGET_URL_LENGTH_MAX, webAddress: true, example }),
    required: true,
    filter: null,
    storage: inColumn("target_url", "text", null),
  };
}

function subscribedEvents(): Field {
  return {
    read: shownSubscribedEventsSchema,
    write: subscribedEventsSchema,
    required: true,
    filter: null,
    // Stored as text, which keeps the order of keys: clients compare the answer with what they sent.
    storage: inColumn("subscribed_events", "json", null, { store: (sent) => JSON.stringify(shownEntries(sent)) }),
  };
}

/** Entries as they are stored and answered, of those that were sent. docs/guides/webhooks.md#fields */
export function shownEntries(sent: unknown): SubscribedEvent[] {
  return (sent as SubscribedEvent[]).map(({ eventType, filter = {} }) => ({ eventType, filter }));
}

function redactedSigningSecret(): Field {
  return {
    read: Type.String({ example: "whsec_C2**********************ZWE=" }),
    write: null,
    filter: null,
    storage: inColumn("redacted_secret", "text", null),
  };
}

function status(): Field {
  return {
    read: oneOf(STATUSES),
    write: null,
    filter: null,
    storage: inColumn("status", "text", "active"),
  };
}

/**
 * SQL that is true for the webhooks that a caller sees and changes: their own, and all for an admin.
 * docs/guides/webhooks.md#who-sees-what
 */
function seesWebhook({ definitions, caller }: Viewer, bind: Binder): string {
  const isAdmin = definitions.users.get(caller.userId)?.role === "admin";
  return isAdmin ? "true" : `t.created_by = ${bind(caller.userId)}`;
}

/**
 * A webhook as a caller sees it. To an admin, filters of another user must not tell of groups that the admin does not
 * see.
 */
export function webhookSeenBy(webhook: Row, viewing: Viewer): Row {
  const isOwner = webhook.createdBy === viewing.caller.userId;
  return isOwner ? webhook : { ...webhook, subscribedEvents: entriesSeenBy(webhook, viewing) };
}
