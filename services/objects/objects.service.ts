import type { ServiceSchema } from "moleculer";
import { batchActions } from "../../actions/batch-actions.ts";
import { mergeAction } from "../../actions/merge-action.ts";
import { recordActions } from "../../actions/record-actions.ts";
import type { Records } from "../../actions/records.ts";
import type { ServiceContext } from "../../actions/service-context.ts";
import { objects } from "../../lib/resources/objects.ts";
import { storeOf } from "../../lib/store/store.ts";
import { byGroupAndType } from "./objects.scoping.ts";

/** The objects of groups, which are of the types that these define. docs/guides/objects.md */
export default function objectsService(context: ServiceContext): ServiceSchema {
  const records: Records = { resource: objects, store: storeOf(context.database, "objects"), scoping: byGroupAndType };
  const { publicUrl } = context.env;
  return {
    name: "objects",
    actions: { ...recordActions(records), ...batchActions(records, { publicUrl }), merge: mergeAction(records) },
  };
}
