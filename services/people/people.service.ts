import type { ServiceSchema } from "moleculer";
import type { ServiceContext } from "../../mixins/context.ts";
import { databaseMixin } from "../../mixins/database.mixin.ts";
import { recordActions } from "../../mixins/record-actions.ts";
import { storeOf } from "../../mixins/store.ts";
import { people } from "./people.resource.ts";

/** People of a workspace. API document, "Person". */
export default function peopleService(context: ServiceContext): ServiceSchema {
  return {
    name: "people",
    mixins: [databaseMixin(context, people.table)],
    actions: recordActions(people, storeOf(context.database)),
  };
}
