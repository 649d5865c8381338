import { withoutNotionLinks } from "./cells.ts";
import type { Preset } from "./preset.ts";

/**
 * A database of Notion has whatever headings its owner gave it, so it is known by its cells, or by its name: the id of
 * the database stands at the end of it. docs/guides/import-files.md#notion
 */
export const notion: Preset = {
  name: "Notion",
  signs: [],
  cellSign:
    /\((?:https:\/\/(?:www\.|app\.)?notion\.(?:so|com)\/|[^()]*%20[0-9a-f]{32}\.(?:md|csv))|%20[0-9a-f]{32}\.md(?:,|$)/,
  fileSign: / [0-9a-f]{32}(?:_all)?\.csv$/,
  columns: {
    people: {
      Company: { to: "companies", split: "\n" },
      Companies: { to: "companies", split: "\n" },
      Organization: { to: "companies", split: "\n" },
      Organisation: { to: "companies", split: "\n" },
      Account: { to: "companies", split: "\n" },
      Role: "jobTitle",
      Tags: { to: "own", split: ", " },
      Labels: { to: "own", split: ", " },
      Categories: { to: "own", split: ", " },
    },
  },
  cleanAll: withoutNotionLinks,
};
