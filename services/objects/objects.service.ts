import type { ServiceSchema } from "moleculer";
import { storeOf } from "../../engine/store/store.ts";
import { aggregateActions } from "../../mixins/aggregate-actions.ts";
import { batchActions } from "../../mixins/batch-actions.ts";
import { byGroupAndType } from "../../mixins/by-group-and-type.ts";
import type { ServiceContext } from "../../mixins/context.ts";
import { recordActions } from "../../mixins/record-actions.ts";
import type { Records } from "../../mixins/records.ts";
import { upsertActions } from "../../mixins/upsert-actions.ts";
import { mergeWork } from "../../mixins/works/merge.ts";
import { actionOf } from "../../mixins/works/work.ts";
import { objects } from "../../model/resources/objects.ts";

/** The objects of groups, which are of the types that these define. docs/guides/objects.md */
export default function objectsService(context: ServiceContext): ServiceSchema {
  const records: Records = {
    resource: objects,
    store: storeOf(context.database, "objects"),
    kept: context.env,
    scoping: byGroupAndType,
  };
  const { publicUrl } = context.env;
  return {
    name: "objects",
    actions: {
      ...recordActions(records),
      ...aggregateActions(records),
      ...batchActions(records, { publicUrl }),
      ...upsertActions(records, { publicUrl }),
      merge: actionOf(records.store, mergeWork(records)),
    },
  };
}
