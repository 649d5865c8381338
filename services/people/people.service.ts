import type { ServiceSchema } from "moleculer";
import { people } from "../../lib/resources/people.ts";
import { batchActions } from "../../mixins/batch-actions.ts";
import type { ServiceContext } from "../../mixins/context.ts";
import { databaseMixin } from "../../mixins/database.mixin.ts";
import { mergeAction } from "../../mixins/merge-action.ts";
import { recordActions } from "../../mixins/record-actions.ts";
import type { Records } from "../../mixins/records.ts";
import { storeOf } from "../../mixins/store.ts";

/** People of a workspace. API document, "Person". */
export default function peopleService(context: ServiceContext): ServiceSchema {
  const records: Records = { resource: people, store: storeOf(context.database, "people") };
  const { publicUrl } = context.env;
  return {
    name: "people",
    mixins: [databaseMixin(context, people.table)],
    actions: { ...recordActions(records), ...batchActions(records, { publicUrl }), merge: mergeAction(records) },
  };
}
