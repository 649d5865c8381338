import type { ServiceSchema } from "moleculer";
import { writeCompaniesByName } from "../../engine/records/companies-by-name.ts";
import { storeOf } from "../../engine/store/store.ts";
import { aggregateActions } from "../../mixins/aggregate-actions.ts";
import { batchActions } from "../../mixins/batch-actions.ts";
import type { ServiceContext } from "../../mixins/context.ts";
import { duplicateActions } from "../../mixins/duplicate-actions.ts";
import { recordActions } from "../../mixins/record-actions.ts";
import type { Records } from "../../mixins/records.ts";
import { upsertActions } from "../../mixins/upsert-actions.ts";
import { createCompanyByName } from "../../mixins/works/companies.ts";
import { mergeWork } from "../../mixins/works/merge.ts";
import { actionOf } from "../../mixins/works/work.ts";
import { companies } from "../../model/resources/companies.ts";

/** The companies of a workspace. docs/guides/companies.md */
export default function companiesService(context: ServiceContext): ServiceSchema {
  const store = storeOf(context.database, "companies");
  const records: Records = { resource: companies, store, kept: context.env };
  const { publicUrl } = context.env;
  return {
    name: "companies",
    actions: {
      ...recordActions(records),
      ...aggregateActions(records),
      ...duplicateActions(records, "company"),
      ...batchActions(records, { publicUrl, make: writeCompaniesByName, tellsOperation: true }),
      ...upsertActions(records, { publicUrl }),
      merge: actionOf(store, mergeWork(records)),
      create: actionOf(store, createCompanyByName),
    },
  };
}
