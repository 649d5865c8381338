/**
 * Maximum number of entries in a list that is the value of a custom field.
 * docs/guides/custom-fields.md#values-in-writes
 */
export const ITEMS_MAX = 1000;

/** The items in their order. A repeated item counts once, at its first place. docs/guides/values.md#lists-in-bodies */
export function unique<Item>(items: Item[]): Item[] {
  return [...new Set(items)];
}

/**
 * An entry in double quotes, with a doubled quote for a quote, up to the sign that ends it; or else all up to the next
 * of these signs. Blanks before a quote end with the line, since thousands of empty lines would else be gone through
 * once for each of them.
 */
const ENTRY = /[^\S\n]*"((?:[^"]|"")*)"[^\S\n]*(?:[;\n]|$)|([^;\n]*)(?:[;\n]|$)/gy;

/**
 * The entries of a list that an import takes from a cell: the parts into which the map splits the cell, or else the
 * texts between semicolons or line breaks. An entry in double quotes may hold these signs.
 * docs/guides/import-matching.md#custom-fields
 */
export function entriesOf(texts: string[], isSplit: boolean): string[] {
  const entries = isSplit ? texts : texts.flatMap(entriesIn);
  return entries.map((text) => text.trim()).filter((text) => text !== "");
}

function entriesIn(cell: string): string[] {
  return Array.from(cell.matchAll(ENTRY), ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "");
}

/** The cell from which `entriesOf` reads these entries again. docs/guides/export.md#lists-in-a-cell */
export function cellOf(entries: string[]): string {
  return entries.map((entry) => (/[;\n]|^\s*"/.test(entry) ? `"${entry.replaceAll('"', '""')}"` : entry)).join("; ");
}
