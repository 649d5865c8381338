import type { ServiceSchema } from "moleculer";
import { nameRecognition } from "../../engine/records/import.ts";
import { storeOf } from "../../engine/store/store.ts";
import type { ServiceContext } from "../../mixins/context.ts";
import { importAction } from "../../mixins/import-action.ts";
import { companies } from "../../model/resources/companies.ts";

/**
 * Writes rows of files as companies. Only the command line calls this; no route leads here.
 * docs/guides/import-matching.md#matching
 */
export default function companiesImportService(context: ServiceContext): ServiceSchema {
  const records = { resource: companies, store: storeOf(context.database), kept: context.env };
  return {
    name: "companies-import",
    actions: { write: importAction(records, nameRecognition) },
  };
}
