import type { ServiceSchema } from "moleculer";
import { startPolling } from "../../../base/jobs/polling.ts";
import { run } from "../../../database/database.ts";
import { eventsWritten } from "../../../engine/events/written.ts";
import { countDue, hasDue } from "../../../engine/interactions/counting.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { pollingMixin } from "../../../mixins/polling.mixin.ts";

/**
 * Longest wait of an interaction until it is counted. Until then each read of its person adds it up, so they are few.
 */
const COUNT_EVERY_MS = 500;

/**
 * Counts interactions that were logged or whose time has come. Each process of the folder does so; they share the work.
 * docs/decisions/0012-interactions.md
 */
export default function interactionCountsService({ database }: ServiceContext): ServiceSchema {
  async function count(): Promise<boolean> {
    if (!(await hasDue(database.queryPlanned))) return false;
    const counted = await database.transaction((trx) => countDue((...statement) => run(trx, ...statement)));
    if (counted > 0) eventsWritten(database);
    return counted > 0;
  }

  return {
    name: "interaction-counts",
    mixins: [
      pollingMixin({
        start: (logger) =>
          startPolling({
            everyMs: COUNT_EVERY_MS,
            work: count,
            onFailure: ({ message }) => logger.warn("Interactions were not counted:", message),
          }),
      }),
    ],
  };
}
