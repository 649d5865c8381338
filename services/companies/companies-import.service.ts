import type { ServiceSchema } from "moleculer";
import { companyKeys } from "../../lib/records/import.ts";
import { companies } from "../../lib/resources/companies.ts";
import type { ServiceContext } from "../../mixins/context.ts";
import { importAction } from "../../mixins/import-action.ts";
import { storeOf } from "../../mixins/store.ts";

/** Rows of files as companies. Only the command line calls this; no route leads here. */
export default function companiesImportService(context: ServiceContext): ServiceSchema {
  return {
    name: "companies-import",
    actions: { write: importAction(companies, storeOf(context.database), companyKeys) },
  };
}
