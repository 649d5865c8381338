import { VCARD_SPLIT } from "contact-workspace-readers/vcard";
import type { Preset, PresetColumns } from "./preset.ts";

const many = (to: string) => ({ to, split: VCARD_SPLIT });

const BOTH: PresetColumns = {
  Emails: many("emails"),
  Phones: many("phones"),
  URLs: many("urls"),
  Addresses: many("addresses"),
  Notes: "description",
  Categories: many("own"),
};

/** The columns that a file of vCards has. docs/guides/import-files.md#vcards */
export const vcard: Preset = {
  name: "vCards",
  // The refused cards of an import are such a table, in a CSV file.
  signs: [
    ["Full name", "Name prefix", "Last name", "Emails", "URLs"],
    ["Name", "Emails", "Phones", "Addresses", "URLs", "Notes"],
  ],
  columns: {
    people: {
      "Full name": "fullName",
      "Name prefix": "name prefix",
      "First name": "firstName",
      "Middle name": "name middle",
      "Last name": "lastName",
      "Name suffix": "name suffix",
      Companies: many("companies"),
      "Job title": "jobTitle",
      Birthday: "birthday",
      Gender: "gender",
      ...BOTH,
    },
    companies: { Name: "name", ...BOTH },
  },
};
