import type { ServiceSchema } from "moleculer";
import type { Caller } from "../../../base/contract/caller.ts";
import { ApiError } from "../../../base/contract/errors.ts";
import { closed, idSchema, type Static, Type } from "../../../base/contract/schema.ts";
import { firstUuidOf, uuidOf, uuidsOf } from "../../../base/values/ids.ts";
import { instantOfTimeOrDate } from "../../../base/values/times.ts";
import { printUuids } from "../../../database/uuid-list.ts";
import type { WriteContext } from "../../../engine/records/draft.ts";
import { listRows, presentRow } from "../../../engine/rows/rows.ts";
import { sealingOf } from "../../../engine/secrets/sealing.ts";
import { type Store, storeOf } from "../../../engine/store/store.ts";
import type { ActionContext, ServiceContext } from "../../../mixins/context.ts";
import { wakeAll } from "../../../mixins/polling.mixin.ts";
import { lockChangeable } from "../../../mixins/works/rows.ts";
import { deliveries } from "../../../model/resources/deliveries.ts";
import { BY_CREATION } from "../../../model/resources/list-order.ts";
import type { Row } from "../../../model/resources/resource.ts";
import { webhooks } from "../../../model/resources/webhooks.ts";
import { replayDelivery, replaySince, sendTest } from "./deliveries.replay.ts";
import { DUE } from "./due.ts";
import { rotateSecret } from "./webhooks.secrets.ts";
import { updateWebhook } from "./webhooks.write.ts";
import { listAll, ownerOf } from "./webhooks-admin.queries.ts";

const LATEST = 20;
const FOLLOWED_MAX = 1_000;

/** The workspace is named where several have a webhook of this id. */
const webhook = { webhookId: idSchema("webhook"), workspace: Type.Optional(Type.String()) };
const webhookParams = closed(webhook);
const listParams = closed({ workspaceId: idSchema("workspace"), keyId: Type.Optional(idSchema("key")) });
const followParams = closed({
  ...webhook,
  from: Type.Optional(Type.String({ format: "timestamp" })),
  among: Type.Optional(Type.Array(idSchema("delivery"), { maxItems: FOLLOWED_MAX })),
});
const replayParams = closed({
  ...webhook,
  deliveryId: Type.Optional(idSchema("delivery")),
  since: Type.Optional(Type.String({ format: "timestamp-or-date" })),
  dryRun: Type.Optional(Type.Boolean()),
});

type One = Static<typeof webhookParams>;

/**
 * Webhooks of all workspaces and users, for the command line and the REPL. Changes are made in the name of the owner of
 * the webhook. No route leads here. docs/guides/webhooks.md#on-the-command-line
 */
export default function webhooksAdminService({ database }: ServiceContext): ServiceSchema {
  const store = storeOf(database, "notes");

  async function callerFor({ params: { webhookId, workspace }, meta }: ActionContext<One>): Promise<Caller> {
    const { workspaceId, userId } = await ownerOf(store.query, webhookId, workspace);
    return { workspaceId, userId, keyId: null, access: "full", ...meta.run };
  }

  /** Runs work on a locked webhook, wakes those who send what comes of it, and gives the answer. */
  async function change(
    ctx: ActionContext<One>,
    work: (writing: WriteContext, webhook: Row) => Promise<string>,
    write: "write" | "writeMany" = "write",
  ) {
    const { webhookId } = ctx.params;
    const caller = await callerFor(ctx);
    const answer = await store[write](caller, async (writing) =>
      work(writing, await lockChangeable(webhooks, writing, webhookId)),
    );
    wakeAll(ctx.broker, DUE);
    return JSON.parse(answer) as unknown;
  }

  return {
    name: "webhooks-admin",
    actions: {
      list: listAction(store),
      /**
       * Deliveries of a webhook, the oldest first: those of some ids, or the newest ones that were made at a time or
       * later, or without either the latest ones.
       */
      deliveries: {
        params: followParams,
        async handler(ctx: ActionContext<Static<typeof followParams>>) {
          const { webhookId, from, among } = ctx.params;
          const caller = await callerFor(ctx);
          const viewing = { caller, definitions: await store.definitionsCache.current(caller.workspaceId) };
          const { rows } = await listRows(store.queryPlanned, deliveries, viewing, {
            order: { ...BY_CREATION, direction: "desc" },
            limit: from === undefined && among === undefined ? LATEST : FOLLOWED_MAX,
            where: (bind) => [
              `t.webhook_id = ${bind(uuidOf("webhook", webhookId))}`,
              ...(from === undefined ? [] : [`t.id >= ${bind(firstUuidOf(Date.parse(from)))}`]),
              ...(among === undefined ? [] : [`t.id = any(${bind(printUuids(uuidsOf("delivery", among)), "uuid[]")})`]),
            ],
          });
          return { deliveries: rows.reverse().map((row) => presentRow(deliveries, row, viewing)) };
        },
      },
      /** Makes a webhook inactive. Pending deliveries are not sent any more. */
      pause: {
        params: webhookParams,
        handler: (ctx: ActionContext<One>) =>
          change(ctx, (writing, webhook) => updateWebhook(writing, webhook, { status: "inactive" })),
      },
      test: { params: webhookParams, handler: (ctx: ActionContext<One>) => change(ctx, sendTest) },
      /** Sends a delivery again, or all events since a time; with `dryRun` it only tells how many events those are. */
      replay: {
        params: replayParams,
        handler(ctx: ActionContext<Static<typeof replayParams>>) {
          const { deliveryId, since = "", dryRun = false } = ctx.params;
          if (deliveryId !== undefined)
            return change(ctx, (writing, webhook) => replayDelivery(writing, webhook, deliveryId));
          const time = new Date(instantOfTimeOrDate(since) ?? Number.NaN);
          return change(ctx, (writing, webhook) => replaySince(writing, webhook, time, dryRun), "writeMany");
        },
      },
      rotate: {
        params: webhookParams,
        async handler(ctx: ActionContext<One>) {
          const sealing = await sealingOf(database);
          return change(ctx, (writing, webhook) => rotateSecret(writing, sealing, webhook));
        },
      },
    },
  };
}

/**
 * All webhooks of a workspace, or those that were made or changed with a key: whose they are, how they are, and why
 * they stopped.
 */
function listAction(store: Store) {
  return {
    params: listParams,
    async handler(ctx: ActionContext<Static<typeof listParams>>) {
      const { workspaceId, keyId } = ctx.params;
      const uuid = uuidOf("workspace", workspaceId);
      if (uuid === null) throw new ApiError("RESOURCE_NOT_FOUND", `There is no workspace with the id ${workspaceId}.`);
      const key = keyId === undefined ? undefined : (uuidOf("key", keyId) ?? undefined);
      return { webhooks: await listAll(store.queryPlanned, await store.definitionsCache.current(uuid), key) };
    },
  };
}
