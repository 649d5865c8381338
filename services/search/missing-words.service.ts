import type { ServiceSchema } from "moleculer";
import { startPolling } from "../../base/jobs/polling.ts";
import { lookIntervals } from "../../database/citus/looks.ts";
import { run } from "../../database/database.ts";
import { fillWords, tablesWithoutWords } from "../../engine/search/missing-words.ts";
import type { ServiceContext } from "../../mixins/context.ts";
import { pollingMixin } from "../../mixins/polling.mixin.ts";

/** Longest wait of a row that an older release has written until it is found by its words. */
const FILL_EVERY_MS = 2000;

/**
 * Makes the words of rows that have none. Each process of the folder does so; they share the work.
 * docs/decisions/0025-search.md#rows-without-words
 */
export default function missingWordsService({ database }: ServiceContext): ServiceSchema {
  async function fillSome(): Promise<boolean> {
    let hasMore = false;
    for (const lacking of await tablesWithoutWords(database.queryPlanned))
      if (await database.transaction((trx) => fillWords((...one) => run(trx, ...one), lacking))) hasMore = true;
    return hasMore;
  }

  return {
    name: "missing-words",
    mixins: [
      pollingMixin({
        start: (logger) =>
          startPolling({
            ...lookIntervals(database, FILL_EVERY_MS),
            work: fillSome,
            onFailure: ({ message }) => logger.warn("Words were not made:", message),
          }),
      }),
    ],
  };
}
