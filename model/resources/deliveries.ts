import { idSchema, nullable, oneOf, Type, timestampSchema } from "../../base/contract/schema.ts";
import { toId, type Uuid } from "../../base/values/ids.ts";
import { EVENT_TYPE_NAMES, type EventType, subjectId } from "../events.ts";
import { composed } from "../fields/field.ts";
import { createdAt, id } from "../fields/server.ts";
import { defineResource } from "./resource.ts";

/** The event of a test, which is about the webhook itself. docs/guides/webhooks.md#testing */
export const TEST_EVENT = "webhook.test";

/** Status of a delivery; the last three are final. docs/guides/webhooks.md#deliveries */
export const STATUSES = ["pending", "succeeded", "failed", "cancelled"] as const;

/**
 * SQL that is true for a delivery `t` that waits and never will be sent: its webhook is inactive, or was so in between.
 */
const IS_STOPPED = `t.status = 'pending' and exists (
  select from webhooks w where w.workspace_id = $1 and w.id = t.webhook_id
    and (w.status = 'inactive' or t.created_at <= w.stopped_at))`;

/**
 * SQL for the status of a delivery `t`. One that will never be sent is shown as cancelled at once, although its row may
 * become so later: a webhook that becomes inactive may have a hundred thousand of them.
 * docs/guides/webhooks.md#deliveries
 */
const SHOWN_STATUS = `case when ${IS_STOPPED} then 'cancelled' else t.status end`;

/**
 * SQL that is true for a delivery `t` that is shown with a status. Succeeded and failed are stored as such. Pending
 * deliveries have an index of their own, which a condition on the shown status could not use.
 */
export const HAS_STATUS: Readonly<Record<(typeof STATUSES)[number], string>> = {
  pending: `t.status = 'pending' and not (${IS_STOPPED})`,
  succeeded: "t.status = 'succeeded'",
  failed: "t.status = 'failed'",
  cancelled: `(t.status = 'cancelled' or ${IS_STOPPED})`,
};

/** Deliveries of webhooks: docs/guides/webhooks.md#deliveries. */
export const deliveries = defineResource({
  kind: "delivery",
  title: "Delivery",
  table: "deliveries",
  rowColumns: {
    eventUuid: "event_id",
    eventPosition: "event_seq",
    type: "event_type",
    recordUuid: "record_id",
    madeAt: "created_at",
  },
  fields: {
    id: id("delivery"),
    eventId: composed(idSchema("event"), {}, ({ eventUuid }) => toId("event", eventUuid as Uuid)),
    eventType: composed(oneOf([...EVENT_TYPE_NAMES, TEST_EVENT]), {}, ({ type }) => type),
    recordId: composed(
      Type.String({ description: "The id of the record, note or reminder; of a test that of the webhook" }),
      {},
      ({ type, recordUuid }) =>
        type === TEST_EVENT
          ? toId("webhook", recordUuid as Uuid)
          : subjectId({ type: type as EventType, recordId: recordUuid as Uuid }),
    ),
    status: composed(oneOf(STATUSES), { status: SHOWN_STATUS }, ({ status }) => status),
    attempts: composed(attemptsSchema(), { attempts: "t.attempts" }, ({ attempts }) =>
      (attempts as Attempt[]).map(presentAttempt),
    ),
    nextAttemptAt: composed(
      nullable(timestampSchema),
      { nextAttemptAt: "t.next_attempt_at" },
      ({ status, nextAttemptAt }) =>
        status === "pending" && nextAttemptAt instanceof Date ? nextAttemptAt.toISOString() : null,
    ),
    createdAt: createdAt(),
  },
});

interface Attempt {
  at: string;
  responseStatus: number | null;
  error: string | null;
  durationMs: number;
  responseBody: string;
}

function presentAttempt({ at, responseStatus, error, durationMs, responseBody }: Attempt) {
  return {
    at: new Date(at).toISOString(),
    responseStatus,
    error,
    durationMs,
    responseBody,
  };
}

function attemptsSchema() {
  const attempt = Type.Object(
    {
      at: timestampSchema,
      responseStatus: nullable(Type.Integer({ example: 200 })),
      error: nullable(
        Type.String({
          description:
            "Why there is no answer, or that it is a redirect, which is not followed; null for any other answer",
        }),
      ),
      durationMs: Type.Integer({ example: 84 }),
      responseBody: Type.String({ description: "The first 1024 bytes of the answer", example: "ok" }),
    },
    { title: "DeliveryAttempt" },
  );
  return Type.Array(attempt);
}
