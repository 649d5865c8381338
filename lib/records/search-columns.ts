import type { Resource } from "../resource.ts";
import { foldedText, textItem } from "../text.ts";

/** The columns that filters on native texts look at: `text_keys` and `folded`. */
export interface SearchColumns {
  text_keys: string[];
  folded: Record<string, string | string[]>;
}

/**
 * The key of a text in a field: equal texts have equal keys. The key of the empty text stands for a field without a value.
 */
export function textKey(field: string, text: string): string {
  return textItem(`${field}\u0000${text}`);
}

/** What filters find a record by, from its stored values by field. */
export function searchColumns(resource: Resource, values: Record<string, unknown>): SearchColumns {
  const keys: string[] = [];
  const folded: SearchColumns["folded"] = {};
  for (const { name, storage } of resource.columns) {
    const { filter } = resource.fields[name] ?? {};
    if (filter !== "TEXT" && filter !== "GENDER") continue;
    const value = values[name];
    const texts = (Array.isArray(value) ? value : [value]).filter((text): text is string => typeof text === "string" && text !== "");
    for (const text of texts) keys.push(textKey(name, text));
    if (texts.length === 0 || value === storage.unset) keys.push(textKey(name, ""));
    if (filter === "TEXT" && texts.length > 0) folded[name] = Array.isArray(value) ? texts.map(foldedText) : foldedText(String(value));
  }
  return { text_keys: [...new Set(keys)], folded };
}
