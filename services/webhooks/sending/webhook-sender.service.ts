import type { ServiceSchema } from "moleculer";
import { limitedDatabase } from "../../../database/limited-database.ts";
import { sealingOf } from "../../../engine/secrets/sealing.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { pollingMixin } from "../../../mixins/polling.mixin.ts";
import { createAddressRules } from "../subscriptions/addresses.ts";
import { DUE } from "../webhooks/due.ts";
import { createAttempt } from "./attempt.ts";
import { createResolve } from "./lookup.ts";
import { startSending } from "./sender.ts";
import { tellOnce } from "./tell-once.ts";

/** Number of connections of each pool that write the outcomes of deliveries. */
const CONNECTIONS = 2;

/** Sends the deliveries of webhooks. docs/guides/webhook-deliveries.md */
export default function webhookSenderService({ database, env }: ServiceContext): ServiceSchema {
  const { definitionsCache, hasWaiting } = storeOf(database);
  const [rules, resolve] = [createAddressRules(env.webhookAllow), createResolve()];
  return {
    name: "webhook-sender",
    mixins: [
      pollingMixin({
        wokenBy: DUE,
        start: (logger) =>
          startSending(
            {
              database: limitedDatabase(database, CONNECTIONS),
              definitionsCache,
              hasWaiting,
              sealing: () => sealingOf(database),
              attempt: createAttempt({
                rules,
                resolve,
                onRefused: tellOnce((message) => logger.info(`Nothing is sent to a webhook: ${message}.`)),
              }),
              publicUrl: env.publicUrl,
              retryWaitsS: env.webhookRetryWaitsS,
              random: Math.random,
            },
            logger,
          ),
      }),
    ],
  };
}
