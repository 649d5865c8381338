import { companyDraftsByName } from "../../engine/records/companies-by-name.ts";
import { companies } from "../../model/resources/companies.ts";
import { changeableRecords, writeOne } from "./records.ts";
import { type BodyParams, worksOf } from "./things.ts";
import type { Work } from "./work.ts";

/**
 * The work that makes a company, or updates the one that has the name. docs/guides/companies.md#creating-by-name
 */
export const createCompanyByName: Work<BodyParams> = {
  ...worksOf(changeableRecords({ resource: companies })).create,
  description: "A name that another company has updates that company instead; groups are then only added.",
  async run(writing, { body }) {
    const [entry] = await companyDraftsByName(writing, [body], () => []);
    return entry ? writeOne(companies, writing, entry.draft) : "null";
  },
};
