import type { Service, ServiceSchema } from "moleculer";
import { type Polling, startPolling } from "../../../base/jobs/polling.ts";
import { MERGES_KEPT_MS } from "../../../config/limits.ts";
import { databaseTime } from "../../../database/clock.ts";
import { pollingMixin } from "../../../mixins/polling.mixin.ts";
import type { ServiceContext } from "../../../mixins/service-context.ts";
import { purgeMerges } from "./merge-history.purge.ts";

const PURGE_EVERY_MS = 60 * 60 * 1000;

/** Deletes what is kept of merges when its time is over. docs/guides/merging.md#history */
export default function mergeHistoryService({ database }: ServiceContext): ServiceSchema {
  function startPurge(logger: Service["logger"]): Polling {
    return startPolling({
      everyMs: PURGE_EVERY_MS,
      laterFirst: true,
      async work(signal) {
        const now = await databaseTime(database.queryAlone);
        await purgeMerges(database, new Date(now.getTime() - MERGES_KEPT_MS), signal);
        return false;
      },
      onFailure: ({ message }) => logger.warn("Old merges were not purged:", message),
    });
  }

  return { name: "merge-history", mixins: [pollingMixin({ start: startPurge })] };
}
