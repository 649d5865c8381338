import type { ServiceSchema } from "moleculer";
import { importAction } from "../../actions/import-action.ts";
import type { ServiceContext } from "../../actions/service-context.ts";
import { personRecognition } from "../../lib/records/import.ts";
import { people } from "../../lib/resources/people.ts";
import { storeOf } from "../../lib/store/store.ts";

/** Writes rows of files as people. Only the command line calls this; no route leads here. docs/guides/import.md#matching */
export default function peopleImportService(context: ServiceContext): ServiceSchema {
  const records = { resource: people, store: storeOf(context.database) };
  return {
    name: "people-import",
    actions: { write: importAction(records, personRecognition) },
  };
}
