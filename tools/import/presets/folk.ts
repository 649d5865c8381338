import type { Preset, PresetColumns } from "./preset.ts";

/** Names and addresses may have commas themselves. */
const named = (to: string) => ({ to, split: /[;\n]/ });

const LISTS: PresetColumns = {
  Email: "emails",
  Emails: "emails",
  Phone: "phones",
  Phones: "phones",
  "Phone numbers": "phones",
  Url: "urls",
  URLs: "urls",
  Urls: "urls",
  Links: "urls",
  Address: named("addresses"),
  Addresses: named("addresses"),
  Description: "description",
  Notes: "own",
  Groups: { to: "own", split: /[;,\n]/ },
};

/** docs/guides/import-files.md#folk */
export const folk: Preset = {
  name: "folk",
  signs: [
    ["First name", "Last name", "Emails", "Phones"],
    ["First name", "Last name", "Emails", "Companies"],
    ["First name", "Last name", "Emails", "Urls"],
    ["Name", "Emails", "Phones", "Urls"],
    ["Name", "Emails", "Phones", "URLs"],
    ["Name", "Emails", "Phones", "Employee range"],
  ],
  columns: {
    people: {
      "First name": "firstName",
      "Last name": "lastName",
      "Full name": "fullName",
      Name: "fullName",
      Birthday: "birthday",
      Gender: "gender",
      "Job title": "jobTitle",
      Company: named("companies"),
      Companies: named("companies"),
      ...LISTS,
    },
    companies: {
      Name: "name",
      Industry: "industry",
      "Employee range": "employeeRange",
      "Foundation year": "foundationYear",
      "Funding raised": "fundingRaised",
      "Last funding date": "lastFundingDate",
      ...LISTS,
    },
  },
};
