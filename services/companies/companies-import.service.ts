import type { ServiceSchema } from "moleculer";
import { importAction } from "../../actions/import-action.ts";
import type { ServiceContext } from "../../actions/service-context.ts";
import { companyKeys } from "../../lib/records/import.ts";
import { companies } from "../../lib/resources/companies.ts";
import { storeOf } from "../../lib/store/store.ts";

/** Writes rows of files as companies. Only the command line calls this; no route leads here. docs/guides/import.md#matching */
export default function companiesImportService(context: ServiceContext): ServiceSchema {
  return {
    name: "companies-import",
    actions: { write: importAction(companies, storeOf(context.database), companyKeys) },
  };
}
