import type { Preset, PresetColumns } from "./preset.ts";

/** Several values stand in one cell, in lines of their own or behind commas or semicolons. */
const many = (to: string) => ({ to, split: /[;\n]|,\s+(?=\S*@|\+|https?:|www\.)/ });
/** Names and addresses may have commas themselves. */
const named = (to: string) => ({ to, split: /[;\n]/ });

const LISTS: PresetColumns = {
  Email: many("emails"),
  Emails: many("emails"),
  Phone: many("phones"),
  Phones: many("phones"),
  "Phone numbers": many("phones"),
  Url: many("urls"),
  URLs: many("urls"),
  Urls: many("urls"),
  Links: many("urls"),
  Address: named("addresses"),
  Addresses: named("addresses"),
  Description: "description",
  Notes: "own",
  Groups: { to: "own", split: /[;,\n]/ },
};

/** docs/guides/import.md#folk */
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
