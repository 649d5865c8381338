import { choice } from "../fields/choices.ts";
import { name } from "../fields/name.ts";
import { decimal, wholeNumber } from "../fields/numbers.ts";
import { createdAt, createdBy, customFieldValuesByGroup, groups, id } from "../fields/server.ts";
import { nullableText, text, textList } from "../fields/texts.ts";
import { date } from "../fields/times.ts";
import { defineRecordType } from "./record-type.ts";

const EMPLOYEE_RANGES = ["1-10", "11-50", "51-200", "201-500", "501-1000", "1001-5000", "5001-10000", "10000+"];

/** Companies: docs/guides/companies.md#fields */
export const companies = defineRecordType({
  kind: "company",
  title: "Company",
  table: "companies",
  nameField: "name",
  isFoundByAddresses: true,
  initialPlaces: { texts: 4, lists: 4 },
  fields: {
    id: id("company"),
    name: name("name", {
      max: 1000,
      trimmed: true,
      example: "Difference Engines",
      uniqueBy: "name_key",
      searchPlace: 1,
      words: "name",
    }),
    description: text("description", { max: 5000, example: "Makes engines.", searchPlace: 2 }),
    fundingRaised: decimal("funding_raised", { min: 0, maxLength: 20 }),
    lastFundingDate: date("last_funding_date", { example: "2026-01-15" }),
    industry: nullableText("industry", {
      max: 1000,
      example: "Software",
      searchPlace: 3,
      isSorted: true,
      isGrouped: true,
    }),
    foundationYear: wholeNumber("foundation_year", { min: 1000, max: 2100 }),
    employeeRange: choice("employee_range", EMPLOYEE_RANGES, { unset: null, filter: "TEXT", searchPlace: 4 }),
    groups: groups({ max: 100 }),
    addresses: textList("addresses", { maxItems: 20, max: 500, example: "1 Main Street", searchPlace: 1 }),
    emails: textList("emails", { maxItems: 20, max: 254, example: "info@example.com", searchPlace: 2, words: "other" }),
    phones: textList("phones", { maxItems: 20, max: 30, example: "+1 202 555 0100", searchPlace: 3, words: "phone" }),
    urls: textList("urls", { maxItems: 20, max: 2048, example: "https://example.com", searchPlace: 4, words: "other" }),
    createdAt: createdAt(),
    createdBy: createdBy(),
    customFieldValues: customFieldValuesByGroup(),
  },
});
