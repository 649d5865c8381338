import type { Service, ServiceSchema } from "moleculer";
import { notFound } from "../../../base/contract/errors.ts";
import { closed, idSchema } from "../../../base/contract/schema.ts";
import { doClaimedJobs } from "../../../base/jobs/claimed-jobs.ts";
import type { Polling, PollingOptions } from "../../../base/jobs/polling.ts";
import { ENRICHMENT_ANSWER_MS_MAX } from "../../../config/limits.ts";
import { lookIntervals } from "../../../database/citus/looks.ts";
import { choiceFilter, createdAtFilter, timeFilter } from "../../../engine/filters/row-filters.ts";
import { lockEntity } from "../../../engine/records/lock-entity.ts";
import { insertRow, presentRow } from "../../../engine/rows/rows.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { type ActionContext, callerOf } from "../../../mixins/context.ts";
import { pollingMixin, wakeAll } from "../../../mixins/polling.mixin.ts";
import { resourceActions } from "../../../mixins/resource-actions.ts";
import { enrichments, STATUSES } from "../../../model/resources/enrichments.ts";
import { reserveCredit } from "./credits.queries.ts";
import { enrich, type Means } from "./enrich.ts";
import { claimDue, giveBack, type Job } from "./jobs.queries.ts";
import { providerOf } from "./providers/index.ts";

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
  clock: Partial<Pick<PollingOptions, "everyMs" | "restTimes" | "pause">> = {},
): Polling {
  const { query } = means;
  return doClaimedJobs<Job>({
    everyMs: EVERY_MS,
    ...clock,
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

/** Wakes those who work on enrichments. */
const DUE = "enrichments.due";

/** Enrichments of people, and the work on them. docs/guides/enrichment.md */
export default function enrichmentsService({ database, env }: ServiceContext): ServiceSchema {
  // The few reads of enrichments share the connection of notes.
  const store = storeOf(database, "notes");
  const provider = providerOf(env);
  const { list, get } = resourceActions(enrichments, store, {
    list: {
      filters: {
        status: choiceFilter("status", STATUSES),
        createdAt: createdAtFilter,
        finishedAt: timeFilter("finished_at", ["empty", "not_empty", "gt", "lt"]),
      },
    },
  });
  return {
    name: "enrichments",
    mixins: [
      pollingMixin({
        wokenBy: DUE,
        start: (logger) =>
          startEnriching({ store, query: database.queryPlanned, provider }, logger, lookIntervals(database, EVERY_MS)),
      }),
    ],
    actions: {
      list,
      get,
      create: {
        summary: "Enrich a person",
        description: "Empty fields of the person are filled with what is found. Costs a credit when it is completed.",
        params: closed({ personId: idSchema("person") }),
        returns: { data: enrichments.schema },
        async handler(ctx: ActionContext<{ personId: string }>): Promise<string> {
          const caller = callerOf(ctx);
          const { personId } = ctx.params;
          const made = await store.write(caller, async (writing) => {
            const person = await lockEntity(writing, personId, ["person"]);
            if (!person) throw notFound("person", personId);
            await reserveCredit(writing.query, caller.workspaceId);
            const row = await insertRow(writing.query, enrichments, writing, {}, { entity_id: person.uuid });
            return JSON.stringify(presentRow(enrichments, row, writing));
          });
          wakeAll(ctx.broker, DUE);
          return made;
        },
      },
    },
  };
}
