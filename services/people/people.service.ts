import type { ServiceSchema } from "moleculer";
import { storeOf } from "../../engine/store/store.ts";
import { aggregateActions } from "../../mixins/aggregate-actions.ts";
import { batchActions } from "../../mixins/batch-actions.ts";
import type { ServiceContext } from "../../mixins/context.ts";
import { duplicateActions } from "../../mixins/duplicate-actions.ts";
import { recordActions } from "../../mixins/record-actions.ts";
import type { Records } from "../../mixins/records.ts";
import { upsertActions } from "../../mixins/upsert-actions.ts";
import { mergeWork } from "../../mixins/works/merge.ts";
import { actionOf } from "../../mixins/works/work.ts";
import { people } from "../../model/resources/people.ts";

/** The people of a workspace. docs/guides/people.md */
export default function peopleService(context: ServiceContext): ServiceSchema {
  const records: Records = { resource: people, store: storeOf(context.database, "people"), kept: context.env };
  const { publicUrl } = context.env;
  return {
    name: "people",
    actions: {
      ...recordActions(records),
      ...aggregateActions(records),
      ...duplicateActions(records, "person"),
      ...batchActions(records, { publicUrl }),
      ...upsertActions(records, { publicUrl }),
      merge: actionOf(records.store, mergeWork(records)),
    },
  };
}
