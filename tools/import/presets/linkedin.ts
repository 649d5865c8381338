import type { Preset } from "./preset.ts";

/** docs/guides/import-files.md#linkedin */
export const linkedin: Preset = {
  name: "LinkedIn",
  signs: [["First Name", "Last Name", "Company", "Position", "Connected On"]],
  columns: {
    people: {
      "First Name": "firstName",
      "Last Name": "lastName",
      URL: "urls",
      "Email Address": "emails",
      Company: "companies",
      Position: "jobTitle",
      "Connected On": "own",
    },
  },
};
