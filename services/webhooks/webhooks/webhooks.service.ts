import type { ServiceSchema } from "moleculer";
import { unprocessable } from "../../../base/contract/errors.ts";
import { custom, type Issue } from "../../../base/contract/issues.ts";
import { closed, idSchema } from "../../../base/contract/schema.ts";
import type { WriteContext } from "../../../engine/records/draft.ts";
import { sealingOf } from "../../../engine/secrets/sealing.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { type ActionContext, callerOf } from "../../../mixins/context.ts";
import { resourceActions } from "../../../mixins/resource-actions.ts";
import { lockChangeable } from "../../../mixins/works/rows.ts";
import type { RequestBody } from "../../../model/fields/field.ts";
import type { SubscribedEvent } from "../../../model/resources/subscribed-events.ts";
import { filterIssues } from "../../../model/resources/subscription-filters.ts";
import { webhooks, webhookWithSecretSchema } from "../../../model/resources/webhooks.ts";
import { createAddressRules } from "../subscriptions/addresses.ts";
import { refuseTarget } from "../subscriptions/target-url.ts";
import { rotateSecret } from "./webhooks.secrets.ts";
import { createWebhook, deleteWebhook, updateWebhook } from "./webhooks.write.ts";

const SHOWN =
  "An admin sees another user's webhook without the entries whose filter names a group, an object type or a custom field that the admin cannot see.";
const LISTED = `Your own, and all of the workspace for its admins, in order of creation. ${SHOWN}`;

type One = { webhookId: string };

/** Addresses to which events are sent. docs/guides/webhooks.md */
export default function webhooksService({ database, env }: ServiceContext): ServiceSchema {
  // The few reads of webhooks share the connection of notes.
  const store = storeOf(database, "notes");
  const rules = createAddressRules(env.webhookAllow ?? []);
  const { list, get, create, update, remove } = resourceActions(webhooks, store, { hasPreview: false });
  return {
    name: "webhooks",
    actions: {
      list: { ...list, description: LISTED },
      get: { ...get, description: SHOWN },
      create: {
        ...create,
        description: "This answer alone has the `signingSecret`. Events from now on are sent.",
        returns: { data: webhookWithSecretSchema },
        async handler(ctx: ActionContext<{ body: RequestBody }>): Promise<string> {
          const { body } = ctx.params;
          const sealing = await sealingOf(database);
          const work = (writing: WriteContext) => {
            judgeWebhook(writing, body, rules);
            return createWebhook(writing, sealing, body);
          };
          return store.write(callerOf(ctx), work, { sealed: true });
        },
      },
      update: {
        ...update,
        description:
          "Missing fields keep their values. While it is inactive it is sent nothing. An admin who changes target or events of another user's webhook becomes its owner.",
        handler: (ctx: ActionContext<One & { body: RequestBody }>) =>
          store.write(callerOf(ctx), async (writing) => {
            const current = await lockChangeable(webhooks, writing, ctx.params.webhookId);
            judgeWebhook(writing, ctx.params.body, rules);
            return updateWebhook(writing, current, ctx.params.body);
          }),
      },
      remove: {
        ...remove,
        description: "Pending deliveries are not sent any more.",
        handler: (ctx: ActionContext<One>) =>
          store.write(callerOf(ctx), (writing) => deleteWebhook(writing, ctx.params.webhookId)),
      },
      rotateSecret: {
        summary: "Replace the signing secret of a webhook",
        description:
          "For 24 hours deliveries are signed with the old secret too. This answer alone has the new one. An admin who does it to another user's webhook becomes its owner.",
        params: closed({ webhookId: idSchema("webhook") }),
        returns: { data: webhookWithSecretSchema },
        async handler(ctx: ActionContext<One>): Promise<string> {
          const sealing = await sealingOf(database);
          const work = async (writing: WriteContext) => {
            const current = await lockChangeable(webhooks, writing, ctx.params.webhookId);
            return rotateSecret(writing, sealing, current);
          };
          return store.write(callerOf(ctx), work, { sealed: true });
        },
      },
    },
  };
}

/**
 * Judges what was sent of a webhook beyond its schema. docs/guides/webhooks.md#targets, docs/guides/webhooks.md#filters
 * @throws ApiError 422 with all issues
 */
function judgeWebhook(
  writing: WriteContext,
  { targetUrl, subscribedEvents = [] }: RequestBody,
  rules: ReturnType<typeof createAddressRules>,
): void {
  const issues: Issue[] = filterIssues(subscribedEvents as SubscribedEvent[], writing);
  const refusal = typeof targetUrl === "string" ? refuseTarget(targetUrl, rules) : null;
  if (refusal !== null) issues.unshift(custom(["targetUrl"], refusal));
  if (issues.length > 0) throw unprocessable(issues);
}
