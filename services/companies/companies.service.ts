import type { ServiceSchema } from "moleculer";
import { storeOf } from "../../engine/store/store.ts";
import { batchActions } from "../../mixins/batch-actions.ts";
import { type ActionContext, callerOf } from "../../mixins/caller.ts";
import { mergeAction } from "../../mixins/merge-action.ts";
import { recordActions, writeOne } from "../../mixins/record-actions.ts";
import type { Records } from "../../mixins/records.ts";
import type { ServiceContext } from "../../mixins/service-context.ts";
import type { Sent } from "../../model/fields/field.ts";
import { companies } from "../../model/resources/companies.ts";
import { draftsByName, upsertMany } from "./companies.upsert.ts";

/** The companies of a workspace. docs/guides/companies.md */
export default function companiesService(context: ServiceContext): ServiceSchema {
  const records: Records = { resource: companies, store: storeOf(context.database, "companies") };
  const { publicUrl } = context.env;
  const actions = recordActions(records);
  return {
    name: "companies",
    actions: {
      ...actions,
      ...batchActions(records, { publicUrl, make: upsertMany, tellsOperation: true }),
      merge: mergeAction(records),
      create: {
        ...actions.create,
        description: "A name that another company has updates that company instead; groups are then only added.",
        handler: (ctx: ActionContext<{ body: Sent }>) => upsertOne(records, ctx),
      },
    },
  };
}

/** Makes a company, or updates the one that has the name. docs/guides/companies.md#creating-by-name */
function upsertOne(records: Records, ctx: ActionContext<{ body: Sent }>): Promise<string> {
  return records.store.write(callerOf(ctx), async (writing) => {
    const [entry] = await draftsByName(writing, [ctx.params.body], () => []);
    return entry ? writeOne(records, writing, entry.draft) : "null";
  });
}
