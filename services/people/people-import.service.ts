import type { ServiceSchema } from "moleculer";
import { personRecognition } from "../../engine/records/import.ts";
import { storeOf } from "../../engine/store/store.ts";
import type { ServiceContext } from "../../mixins/context.ts";
import { importAction } from "../../mixins/import-action.ts";
import { people } from "../../model/resources/people.ts";

/**
 * Writes rows of files as people. Only the command line calls this; no route leads here.
 * docs/guides/import-matching.md#matching
 */
export default function peopleImportService(context: ServiceContext): ServiceSchema {
  const records = { resource: people, store: storeOf(context.database), kept: context.env };
  return {
    name: "people-import",
    actions: { write: importAction(records, personRecognition) },
  };
}
