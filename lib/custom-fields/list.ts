/** Arrays of custom values hold at most so many entries. API document, "Custom field values". */
export const ITEMS_MAX = 1000;

/** What is given twice counts once, in the first place. gaps 2, "Lists in bodies". */
export function unique<Item>(items: Item[]): Item[] {
  return [...new Set(items)];
}
