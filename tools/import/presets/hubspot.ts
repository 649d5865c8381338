import type { Preset, PresetColumns } from "./preset.ts";

/** Several records or addresses stand in one cell, divided by semicolons. */
const many = (to: string) => ({ to, split: ";" });

const ADDRESS: PresetColumns = {
  "Street Address": "address main street",
  "Street Address #": "address main street#",
  City: "address main city",
  "State/Region": "address main region",
  "Postal Code": "address main zip",
  "Country/Region": "address main country",
};

const people: PresetColumns = {
  "First Name": "firstName",
  "Last Name": "lastName",
  Salutation: "name prefix",
  Email: many("emails"),
  "Work email": many("emails"),
  "Additional email addresses": many("emails"),
  "Phone Number": "phones",
  "Mobile Phone Number": "phones",
  "WhatsApp Phone Number": "phones",
  "Website URL": "urls",
  "LinkedIn URL": "urls",
  "LinkedIn Profile URL": "urls",
  "Twitter Username": "own",
  "Job Title": "jobTitle",
  "Associated Company": many("companies"),
  "Associated Company (Primary)": many("companies"),
  "Company Name": "companies",
  "Company name": "companies",
  "Date of birth": "birthday",
  Gender: "gender",
  Message: "own",
  Industry: "own",
  ...ADDRESS,
};

const companies: PresetColumns = {
  "Company name": "name",
  "Company Name": "name",
  Name: "name",
  "Company Domain Name": "urls",
  "Website URL": "urls",
  "LinkedIn Company Page": "urls",
  "Facebook Company Page": "urls",
  "Phone Number": "phones",
  Industry: "industry",
  "Number of Employees": "employeeRange",
  "Year Founded": "foundationYear",
  "Total Money Raised": "fundingRaised",
  Description: "description",
  "About Us": "own",
  ...ADDRESS,
};

/** docs/guides/import-files.md#hubspot */
export const hubspot: Preset = {
  name: "HubSpot",
  signs: [
    ["Record ID", "First Name", "Last Name", "Email"],
    ["Record ID", "Company name"],
    ["Record ID", "Company Domain Name"],
    ["First Name", "Last Name", "Email", "Contact owner"],
    ["Company Domain Name", "Company owner"],
  ],
  columns: { people, companies },
};
