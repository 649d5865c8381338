/** Arrays of custom values hold at most so many entries. API document, "Custom field values". */
export const ITEMS_MAX = 1000;

/** What is given twice counts once, in the first place. gaps 2, "Lists in bodies". */
export function unique<Item>(items: Item[]): Item[] {
  return [...new Set(items)];
}

/** The entries of a cell of a file: where the import does not split it, they stand behind semicolons or on lines of their own. */
export function entriesOf(texts: string[], isSplit: boolean): string[] {
  if (isSplit) return texts;
  return texts
    .flatMap((text) => text.split(/[;\n]/))
    .map((text) => text.trim())
    .filter((text) => text !== "");
}
