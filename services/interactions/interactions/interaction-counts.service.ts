import type { ServiceSchema } from "moleculer";
import type { ServiceContext } from "../../../actions/service-context.ts";
import { run } from "../../../lib/database/database.ts";
import { countDue, hasDue } from "../../../lib/interactions/counting.ts";
import { type Polling, startPolling } from "../../../lib/jobs/polling.ts";

/** How long interactions wait until they are counted. Until then whoever reads their person adds them up, so they are few. */
const COUNT_EVERY_MS = 500;

/**
 * Counts interactions that were logged or whose time has come. Each process of the folder does so; they share the work.
 * docs/decisions/0010-interactions.md
 */
export default function interactionCountsService({ database }: ServiceContext): ServiceSchema {
  let counting: Polling | undefined;
  return {
    name: "interaction-counts",
    started() {
      counting = startPolling({
        everyMs: COUNT_EVERY_MS,
        work: async () =>
          (await hasDue(database.queryAlone)) &&
          (await database.transaction((trx) => countDue((...statement) => run(trx, ...statement)))) > 0,
        onFailure: ({ message }) => this.logger.warn("Interactions were not counted:", message),
      });
    },
    async stopped() {
      await counting?.stop();
    },
  };
}
