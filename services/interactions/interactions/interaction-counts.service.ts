import type { ServiceSchema } from "moleculer";
import { startPolling } from "../../../base/jobs/polling.ts";
import { lookIntervals } from "../../../database/citus/looks.ts";
import { run } from "../../../database/database.ts";
import { logAppended } from "../../../engine/events/appended.ts";
import { countDue, dueWorkspaces } from "../../../engine/interactions/counting.ts";
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
  async function countSome(): Promise<boolean> {
    let counted = 0;
    for (const workspaceId of await dueWorkspaces(database.queryPlanned)) {
      const count = await database.transaction((trx) => countDue((...one) => run(trx, ...one), workspaceId));
      if (count > 0) logAppended(database, workspaceId);
      counted += count;
    }
    return counted > 0;
  }

  return {
    name: "interaction-counts",
    mixins: [
      pollingMixin({
        start: (logger) =>
          startPolling({
            ...lookIntervals(database, COUNT_EVERY_MS),
            work: countSome,
            onFailure: ({ message }) => logger.warn("Interactions were not counted:", message),
          }),
      }),
    ],
  };
}
