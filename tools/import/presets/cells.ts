/** A cell, empty for the date that Outlook writes if none was entered. */
export function withoutZeroDate(cell: string): string {
  return /^0{1,2}[./-]0{1,2}[./-]0{2,4}$/.test(cell.trim()) ? "" : cell;
}

/** A cell, empty for a choice that was not made. */
export function withoutUnspecified(cell: string): string {
  return /^(?:unspecified|keine angabe)$/i.test(cell.trim()) ? "" : cell;
}

/** Google's own groups, which begin with an asterisk, and say nothing about a person. */
export function withoutOwnGroups(cell: string): string {
  const groups = cell.split(" ::: ").filter((group) => !group.trim().startsWith("*"));
  return groups.join(" ::: ");
}

/**
 * Pages as Notion names them in a property that relates to them: `Acme (https://www.notion.so/Acme-0f…)`, and in older
 * exports `../Companies%200f…/Acme%2030c4….md`. Several of them stand behind commas.
 */
const NOTION_LINK =
  / \((?:https:\/\/(?:www\.|app\.)?notion\.(?:so|com|site)\/|(?:\.\.\/)*[^()]*\.(?:md|csv)\))[^()]*\)?(?:,\s*|$)/g;
const NOTION_PATH = /(?:^|,\s*)(?:\.\.\/)*(?:[^,()]*\/)?(?<page>[^,()/]*)%20[0-9a-f]{32}\.md(?=,|$)/g;

/** The names of pages without what leads to them, one in each line. */
export function withoutNotionLinks(cell: string): string {
  if (cell.includes("(")) return cell.replaceAll(NOTION_LINK, "\n").trimEnd();
  if (!cell.includes(".md")) return cell;
  return cell.replaceAll(NOTION_PATH, (_all, page: string) => `${decoded(page)}\n`).trimEnd();
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Attachments as Airtable names them: `photo.png (https://v5.airtableusercontent.com/…)`. The addresses end after
 * hours.
 */
const AIRTABLE_FILE = / \(https:\/\/(?:[a-z0-9.]*airtableusercontent\.com|dl\.airtable\.com)\/[^()]*\)/g;

/** The names of attachments without what leads to them. */
export function withoutAirtableLinks(cell: string): string {
  return cell.includes("(https://") ? cell.replaceAll(AIRTABLE_FILE, "") : cell;
}

/** Linked records stand behind commas without a blank. A name that has a comma itself stands in quotes. */
const BETWEEN_LINKED = /,(?! )(?=(?:[^"]*"[^"]*")*[^"]*$)/;

/** The names of linked records of Airtable, one in each line. */
export function linkedNames(cell: string): string {
  const names = cell.split(BETWEEN_LINKED).map((name) => name.replace(/^"(.*)"$/s, "$1"));
  return names.join("\n");
}
