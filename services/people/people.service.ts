import type { ServiceSchema } from "moleculer";
import { batchActions } from "../../mixins/batch-actions.ts";
import type { ServiceContext } from "../../mixins/context.ts";
import { databaseMixin } from "../../mixins/database.mixin.ts";
import { mergeAction } from "../../mixins/merge-action.ts";
import { recordActions } from "../../mixins/record-actions.ts";
import { storeOf } from "../../mixins/store.ts";
import { people } from "../../lib/resources/people.ts";

/** People of a workspace. API document, "Person". */
export default function peopleService(context: ServiceContext): ServiceSchema {
  const store = storeOf(context.database);
  return {
    name: "people",
    mixins: [databaseMixin(context, people.table)],
    actions: { ...recordActions(people, store), ...batchActions({ resource: people, store, publicUrl: context.env.publicUrl }), merge: mergeAction(people, store) },
  };
}
