import { setTimeout as pauseFor } from "node:timers/promises";
import type { Service, ServiceBroker, ServiceSchema } from "moleculer";
import type { ServiceContext } from "../../../actions/service-context.ts";
import { onEventsWritten } from "../../../lib/events/written.ts";
import { type Polling, startPolling } from "../../../lib/jobs/polling.ts";
import { storeOf } from "../../../lib/store/store.ts";
import { createSubscriptions } from "../../../lib/webhooks/subscriptions.ts";
import { pollingMixin, wakeAll } from "../../../mixins/polling.mixin.ts";
import { createPublisher } from "./publisher.ts";

/** How long events wait at most when nobody has told of them. */
const PUBLISH_EVERY_MS = 1_000;
/**
 * How long a process rests after it has passed events on, so that those of a burst go together. The first one of a burst does not wait.
 */
const REST_MS = 20;

/** Passes events on, to those who read them and to webhooks. Each process of the folder may do so, one at a time does. */
export default function eventPublisherService({ database }: ServiceContext): ServiceSchema {
  const { catalogs } = storeOf(database);
  const publisher = createPublisher(database, { catalogs, subscriptions: createSubscriptions() });

  function startPublishing(logger: Service["logger"], broker: ServiceBroker): Polling {
    const polling = startPolling({
      everyMs: PUBLISH_EVERY_MS,
      async work(signal) {
        const { events, deliveries, hasMore } = await publisher.publish();
        if (events > 0) wakeAll(broker, "events.published");
        if (deliveries > 0) wakeAll(broker, "webhooks.due");
        if (events > 0 && !hasMore) await pauseFor(REST_MS, undefined, { signal, ref: false }).catch(() => undefined);
        return hasMore;
      },
      onFailure: ({ message }) => logger.warn("Events were not passed on:", message),
    });
    // This process need not wait until the bus tells what it has written itself.
    const forget = onEventsWritten(database, polling.wake);
    return {
      wake: polling.wake,
      stop() {
        forget();
        return polling.stop();
      },
    };
  }

  return {
    name: "event-publisher",
    mixins: [pollingMixin({ wokenBy: "events.written", start: startPublishing })],
  };
}
