import type { ServiceSchema } from "moleculer";
import type { Sent } from "../../lib/resource.ts";
import { batchActions } from "../../mixins/batch-actions.ts";
import { type ActionContext, callerOf } from "../../mixins/caller.ts";
import type { ServiceContext } from "../../mixins/context.ts";
import { databaseMixin } from "../../mixins/database.mixin.ts";
import { mergeAction } from "../../mixins/merge-action.ts";
import { recordActions, writeOne } from "../../mixins/record-actions.ts";
import { storeOf } from "../../mixins/store.ts";
import { companies } from "../../lib/resources/companies.ts";
import { draftByName, upsertMany } from "./companies.upsert.ts";

/** Companies of a workspace. API document, "Company". */
export default function companiesService(context: ServiceContext): ServiceSchema {
  const store = storeOf(context.database);
  const { publicUrl } = context.env;
  const actions = recordActions(companies, store);
  return {
    name: "companies",
    mixins: [databaseMixin(context, companies.table)],
    actions: {
      ...actions,
      ...batchActions({ resource: companies, store, publicUrl, make: (writing, _scope, records) => upsertMany(writing, records), tellsOperation: true }),
      merge: mergeAction(companies, store),
      create: {
        ...actions.create,
        description: "A name that another company has updates that company instead; groups are then only added.",
        handler: (ctx: ActionContext<{ body: Sent }>) =>
          store.write(callerOf(ctx), async (writing) => {
            const [entry] = await draftByName(writing, [ctx.params.body], () => []);
            return entry ? writeOne(store, writing, companies, entry.draft) : "null";
          }),
      },
    },
  };
}
