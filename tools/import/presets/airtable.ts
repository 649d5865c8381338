import { linkedNames, withoutAirtableLinks } from "./cells.ts";
import type { Preset } from "./preset.ts";

const linked = (to: string) => ({ to, split: "\n", clean: linkedNames });

/**
 * A table of Airtable has whatever headings its owner gave it, so it is known by its cells, or by its name, which ends
 * with that of the view. docs/guides/import-files.md#airtable
 */
export const airtable: Preset = {
  name: "Airtable",
  signs: [],
  cellSign: /\(https:\/\/(?:[a-z0-9.]*airtableusercontent\.com|dl\.airtable\.com)\//,
  fileSign: /-(?:Grid view(?: \d+)?|All [a-z ]+|Gallery|Kanban)\.csv$/i,
  columns: {
    people: {
      Company: linked("companies"),
      Companies: linked("companies"),
      Organization: linked("companies"),
      Organizations: linked("companies"),
      Organisation: linked("companies"),
      Account: linked("companies"),
      Accounts: linked("companies"),
      Role: "jobTitle",
      Tags: linked("own"),
      Labels: linked("own"),
      Categories: linked("own"),
    },
  },
  cleanAll: withoutAirtableLinks,
};
