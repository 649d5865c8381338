import type { ServiceSchema } from "moleculer";
import { storeOf } from "../../../engine/store/store.ts";
import { pollingMixin, wakeAll } from "../../../mixins/polling.mixin.ts";
import type { ServiceContext } from "../../../mixins/service-context.ts";
import { createSubscriptions } from "../subscriptions/subscriptions.ts";
import { DUE } from "../webhooks/due.ts";
import { createPublisher } from "./publisher.ts";
import { startPublishing } from "./publishing.ts";
import { startQueueGauges } from "./queue-gauges.ts";

/**
 * Passes events on, to those who read them and to webhooks. Each process of the folder is ready to, and one at a time does.
 * docs/decisions/0013-events.md
 */
export default function eventPublisherService({ database, env }: ServiceContext): ServiceSchema {
  const { catalogs, hasWaiting } = storeOf(database);
  const publisher = createPublisher(database, { catalogs, subscriptions: createSubscriptions() });
  const queueGauges = pollingMixin({
    start: (logger) =>
      startQueueGauges(database.queryAlone, ({ message }) => logger.warn("The queues were not read:", message)),
  });
  return {
    name: "event-publisher",
    mixins: [
      pollingMixin({
        wokenBy: "events.written",
        start: (logger, broker) =>
          startPublishing(database, publisher, {
            hasWaiting,
            onPublished({ events, deliveries }) {
              if (events > 0) wakeAll(broker, "events.published");
              if (deliveries > 0) wakeAll(broker, DUE);
            },
            onFailure: ({ message }) => logger.warn("Events were not passed on:", message),
          }),
      }),
      ...(env.metricsPort === undefined ? [] : [queueGauges]),
    ],
  };
}
