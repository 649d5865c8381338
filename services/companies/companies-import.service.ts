import type { ServiceSchema } from "moleculer";
import { importAction } from "../../actions/import-action.ts";
import type { ServiceContext } from "../../actions/service-context.ts";
import { nameRecognition } from "../../lib/records/import.ts";
import { companies } from "../../lib/resources/companies.ts";
import { storeOf } from "../../lib/store/store.ts";

/** Writes rows of files as companies. Only the command line calls this; no route leads here. docs/guides/import.md#matching */
export default function companiesImportService(context: ServiceContext): ServiceSchema {
  const records = { resource: companies, store: storeOf(context.database) };
  return {
    name: "companies-import",
    actions: { write: importAction(records, nameRecognition) },
  };
}
