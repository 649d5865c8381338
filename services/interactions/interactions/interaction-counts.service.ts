import type { ServiceSchema } from "moleculer";
import type { ServiceContext } from "../../../actions/service-context.ts";
import { run } from "../../../lib/database/database.ts";
import { countDue, hasDue } from "../../../lib/interactions/counting.ts";
import { startPolling } from "../../../lib/jobs/polling.ts";
import { pollingMixin } from "../../../mixins/polling.mixin.ts";

/** How long interactions wait until they are counted. Until then whoever reads their person adds them up, so they are few. */
const COUNT_EVERY_MS = 500;

/**
 * Counts interactions that were logged or whose time has come. Each process of the folder does so; they share the work.
 * docs/decisions/0012-interactions.md
 */
export default function interactionCountsService({ database }: ServiceContext): ServiceSchema {
  const count = async (): Promise<boolean> =>
    (await hasDue(database.queryAlone)) &&
    (await database.transaction((trx) => countDue((...statement) => run(trx, ...statement)))) > 0;
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
