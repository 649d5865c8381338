import type { Service } from "moleculer";
import { doClaimedJobs } from "../../../base/jobs/claimed-jobs.ts";
import type { Polling, PollingOptions } from "../../../base/jobs/polling.ts";
import { ENRICHMENT_ANSWER_MS_MAX } from "../../../config/limits.ts";
import { enrich, type Means } from "./enrich.ts";
import { claimDue, giveBack, type Job } from "./jobs.queries.ts";

const EVERY_MS = 1_000;
/** Number of people that a process asks a provider about at once. */
const AT_ONCE = 8;
/**
 * Time for which no other process takes an enrichment that this one works on. Most of it is the wait for the answer of
 * the provider, and the rest is for the database. docs/guides/enrichment.md#crashes
 */
const LEASE_MS = 2 * ENRICHMENT_ANSWER_MS_MAX;

/** Works on enrichments that are due. Several processes may do so. */
export function startEnriching(
  means: Means,
  logger: Pick<Service["logger"], "warn">,
  clock: Pick<PollingOptions, "pause"> = {},
): Polling {
  const { query } = means;
  return doClaimedJobs<Job>({
    ...clock,
    everyMs: EVERY_MS,
    atOnce: AT_ONCE,
    claim: (count) => claimDue(query, count, LEASE_MS),
    async run(job, signal) {
      try {
        await enrich(means, job, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
        await giveBack(query, job);
      }
    },
    onFailure: ({ message }) => logger.warn("Enrichments cannot be looked for:", message),
    onJobFailure: ({ uuid }, error) => logger.warn(`The enrichment ${uuid} was interrupted:`, error),
  });
}
