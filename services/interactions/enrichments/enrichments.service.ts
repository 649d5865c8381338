import type { ServiceSchema } from "moleculer";
import { notFound } from "../../../base/contract/errors.ts";
import { closed, idSchema } from "../../../base/contract/schema.ts";
import { choiceFilter, createdAtFilter, timeFilter } from "../../../engine/filters/row-filters.ts";
import { lockEntity } from "../../../engine/records/lock-entity.ts";
import { insertRow, presentRow } from "../../../engine/rows/rows.ts";
import { storeOf } from "../../../engine/store/store.ts";
import { type ActionContext, callerOf } from "../../../mixins/caller.ts";
import { pollingMixin, wakeAll } from "../../../mixins/polling.mixin.ts";
import { resourceActions } from "../../../mixins/resource-actions.ts";
import type { ServiceContext } from "../../../mixins/service-context.ts";
import { enrichments, STATUSES } from "../../../model/resources/enrichments.ts";
import { reserveCredit } from "./credits.queries.ts";
import { startEnriching } from "./enrichments.worker.ts";
import { providerOf } from "./providers/index.ts";

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
        start: (logger) => startEnriching({ store, query: database.queryAlone, provider }, logger),
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
