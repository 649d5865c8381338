import type { ServiceSchema } from "moleculer";
import { batchActions } from "../../actions/batch-actions.ts";
import { mergeAction } from "../../actions/merge-action.ts";
import { recordActions } from "../../actions/record-actions.ts";
import type { Records } from "../../actions/records.ts";
import type { ServiceContext } from "../../actions/service-context.ts";
import { people } from "../../lib/resources/people.ts";
import { storeOf } from "../../lib/store/store.ts";

/** The people of a workspace. docs/guides/people.md */
export default function peopleService(context: ServiceContext): ServiceSchema {
  const records: Records = { resource: people, store: storeOf(context.database, "people") };
  const { publicUrl } = context.env;
  return {
    name: "people",
    actions: { ...recordActions(records), ...batchActions(records, { publicUrl }), merge: mergeAction(records) },
  };
}
