import type { Service, ServiceSchema } from "moleculer";
import { type Polling, startPolling } from "../../../base/jobs/polling.ts";
import { DELIVERIES_KEPT_MS, EVENTS_KEPT_MS } from "../../../config/limits.ts";
import { databaseTime } from "../../../database/clock.ts";
import { pollingMixin } from "../../../mixins/polling.mixin.ts";
import type { ServiceContext } from "../../../mixins/service-context.ts";
import { purgeDeliveries } from "./deliveries.purge.ts";
import { purgeEvents } from "./events.purge.ts";
import { purgeQueues } from "./queues.purge.ts";

const PURGE_EVERY_MS = 60_000;

/**
 * Deletes events and deliveries whose time is over, and what webhooks have left that are gone. Each process of the folder does so;
 * they pass over what another one deletes. docs/guides/running.md#what-is-kept-how-long
 */
export default function retentionService({ database }: ServiceContext): ServiceSchema {
  function startPurge(logger: Service["logger"]): Polling {
    return startPolling({
      everyMs: PURGE_EVERY_MS,
      laterFirst: true,
      async work(signal) {
        const now = (await databaseTime(database.queryAlone)).getTime();
        // Deliveries before the events that they refer to.
        await purgeDeliveries(database, new Date(now - DELIVERIES_KEPT_MS), signal);
        if (!signal.aborted) await purgeEvents(database, new Date(now - EVENTS_KEPT_MS), signal);
        if (!signal.aborted) await purgeQueues(database);
        return false;
      },
      onFailure: ({ message }) => logger.warn("Old events and deliveries were not purged:", message),
    });
  }

  return { name: "retention", mixins: [pollingMixin({ start: startPurge })] };
}
