import type { ServiceSchema } from "moleculer";
import { notFound } from "../../../base/contract/errors.ts";
import type { Page } from "../../../base/contract/page.ts";
import { closed, idSchema, oneOf, Type } from "../../../base/contract/schema.ts";
import { uuidOf } from "../../../base/values/ids.ts";
import { instantOfTimeOrDate } from "../../../base/values/times.ts";
import type { Binder } from "../../../database/binder.ts";
import type { WriteContext } from "../../../engine/records/draft.ts";
import { findRow } from "../../../engine/rows/rows.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { type ActionContext, callerOf } from "../../../mixins/context.ts";
import { type PageParams, pageParams } from "../../../mixins/page.ts";
import { wakeAll } from "../../../mixins/polling.mixin.ts";
import { type Narrowing, readRowPage } from "../../../mixins/resource-actions.ts";
import { lockChangeable } from "../../../mixins/works/rows.ts";
import { deliveries, HAS_STATUS, STATUSES } from "../../../model/resources/deliveries.ts";
import { BY_CREATION, type ListOrder } from "../../../model/resources/list-order.ts";
import type { Row } from "../../../model/resources/resource.ts";
import { webhooks } from "../../../model/resources/webhooks.ts";
import { replayDelivery, replaySince, sendTest } from "./deliveries.replay.ts";
import { seenDeliveries } from "./deliveries.sight.ts";
import { DUE } from "./due.ts";

const ONLY_SUCH = { description: "Only such deliveries" };
const LISTED =
  "Newest first, only deliveries of events that you can see. Deliveries are kept for 30 days. A page can have fewer than `limit` entries although there is a next page.";
const NEWEST_FIRST: ListOrder = { ...BY_CREATION, direction: "desc" };

type One = { webhookId: string };
type ListParams = PageParams & One & { status?: (typeof STATUSES)[number] };

/** Deliveries of webhooks, sent and waiting. docs/guides/webhooks.md#deliveries */
export default function deliveriesService({ database }: ServiceContext): ServiceSchema {
  const store = storeOf(database, "notes");
  const path = { webhookId: idSchema("webhook") };
  const returns = { data: deliveries.schema };

  /**
   * Runs work on the webhook that the path names, locked, and wakes those who send what comes of it. Work on thousands
   * of events has the turns of batches.
   */
  async function send(
    ctx: ActionContext<One>,
    work: (writing: WriteContext, webhook: Row) => Promise<string>,
    write: "write" | "writeMany" = "write",
  ) {
    const answer = await store[write](callerOf(ctx), async (writing) =>
      work(writing, await lockChangeable(webhooks, writing, ctx.params.webhookId)),
    );
    wakeAll(ctx.broker, DUE);
    return answer;
  }

  async function list(ctx: ActionContext<ListParams>): Promise<Page> {
    const { webhookId, status } = ctx.params;
    const caller = callerOf(ctx);
    const viewing = { caller, definitions: await store.definitionsCache.current(caller.workspaceId) };
    const uuid = uuidOf("webhook", webhookId);
    const webhook = uuid && (await findRow(store.query, webhooks, viewing, uuid));
    if (!webhook) throw notFound("webhook", webhookId);
    const where = (bind: Binder) => [
      `t.webhook_id = ${bind(webhook.uuid)}`,
      ...(status === undefined ? [] : [HAS_STATUS[status]]),
    ];
    const seen: Narrowing["seen"] = (query, viewing, rows) => seenDeliveries(query, viewing, webhook, rows);
    return readRowPage(deliveries, store, ctx, { order: NEWEST_FIRST, where, planned: status !== undefined, seen });
  }

  return {
    name: "deliveries",
    actions: {
      list: {
        summary: "List deliveries of a webhook",
        description: LISTED,
        params: closed({ ...path, status: Type.Optional(oneOf(STATUSES, ONLY_SUCH)), ...pageParams }),
        returns: { list: deliveries.schema },
        handler: list,
      },
      test: {
        summary: "Send a test to a webhook",
        description: "Sends an event `webhook.test` about the webhook itself, and answers the pending delivery.",
        params: closed(path),
        returns,
        handler: (ctx: ActionContext<One>) => send(ctx, sendTest),
      },
      replay: {
        summary: "Send a delivery again",
        description: "Answers the new delivery, which sends the same event with the same `webhook-id`.",
        params: closed({ ...path, deliveryId: idSchema("delivery") }),
        returns,
        handler: (ctx: ActionContext<One & { deliveryId: string }>) =>
          send(ctx, (writing, webhook) => replayDelivery(writing, webhook, ctx.params.deliveryId)),
      },
      replaySince: {
        summary: "Send the events since a time again",
        description: "Events that the webhook subscribes to and its owner can see, at most 20,000.",
        params: closed({
          ...path,
          body: closed(
            { since: Type.String({ format: "timestamp-or-date", example: "2026-03-01T09:30:00.000Z" }) },
            { title: "WebhookReplay" },
          ),
        }),
        returns: { data: closed({ replayed: Type.Integer({ minimum: 0, example: 12 }) }, { title: "Replayed" }) },
        handler: (ctx: ActionContext<One & { body: { since: string } }>) => {
          const since = new Date(instantOfTimeOrDate(ctx.params.body.since) ?? Number.NaN);
          return send(ctx, (writing, webhook) => replaySince(writing, webhook, since), "writeMany");
        },
      },
    },
  };
}
