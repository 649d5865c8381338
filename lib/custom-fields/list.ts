/** How many entries a list that is the value of a custom field may hold. docs/guides/custom-fields.md#values-in-writes */
export const ITEMS_MAX = 1000;

/** The items in their order. What is given twice counts once, in the first place. docs/guides/conventions.md#lists-in-bodies */
export function unique<Item>(items: Item[]): Item[] {
  return [...new Set(items)];
}

/**
 * The entries of a list that an import takes from a cell: the parts into which it was told to split the cell, or else what is
 * divided by semicolons or line breaks. docs/guides/import.md#custom-fields
 */
export function entriesOf(texts: string[], isSplit: boolean): string[] {
  if (isSplit) return texts;
  return texts
    .flatMap((text) => text.split(/[;\n]/))
    .map((text) => text.trim())
    .filter((text) => text !== "");
}
