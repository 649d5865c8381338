import type { ServiceSchema } from "moleculer";
import { nameKey } from "../../lib/records/company-names.ts";
import { companiesByKey } from "../../lib/records/found.ts";
import { lockRows } from "../../lib/records/write.ts";
import type { Sent } from "../../lib/resource.ts";
import { type ActionContext, callerOf } from "../../mixins/caller.ts";
import type { ServiceContext } from "../../mixins/context.ts";
import { databaseMixin } from "../../mixins/database.mixin.ts";
import { recordActions, writeOne } from "../../mixins/record-actions.ts";
import { type Store, storeOf } from "../../mixins/store.ts";
import { companies } from "./companies.resource.ts";

/** Companies of a workspace. API document, "Company". */
export default function companiesService(context: ServiceContext): ServiceSchema {
  const store = storeOf(context.database);
  const actions = recordActions(companies, store);
  return {
    name: "companies",
    mixins: [databaseMixin(context, companies.table)],
    actions: {
      ...actions,
      create: {
        ...actions.create,
        description: "A name that another company has updates that company instead; groups are then only added.",
        handler: (ctx: ActionContext<{ body: Sent }>) => upsertByName(store, ctx),
      },
    },
  };
}

/** API document, "Single-record endpoints": a name matching an existing company updates it; gaps 4, "Company". */
function upsertByName(store: Store, ctx: ActionContext<{ body: Sent }>): Promise<string> {
  const sent = ctx.params.body;
  return store.write(callerOf(ctx), async (writing) => {
    const key = nameKey(String(sent.name));
    const uuid = (await companiesByKey(writing, [key])).get(key)?.id;
    const current = uuid === undefined ? undefined : (await lockRows(writing, companies, [uuid])).get(uuid);
    return writeOne(store, writing, companies, { at: [], sent, current: current ?? null, groups: "add" });
  });
}
