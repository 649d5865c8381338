import type { ServiceSchema } from "moleculer";
import { personKeys } from "../../lib/records/import.ts";
import { people } from "../../lib/resources/people.ts";
import type { ServiceContext } from "../../mixins/context.ts";
import { importAction } from "../../mixins/import-action.ts";
import { storeOf } from "../../mixins/store.ts";

/** Rows of files as people. Only the command line calls this; no route leads here. */
export default function peopleImportService(context: ServiceContext): ServiceSchema {
  return {
    name: "people-import",
    actions: { write: importAction(people, storeOf(context.database), personKeys(people.derive)) },
  };
}
