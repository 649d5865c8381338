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
  const fields = resource.columns.map(({ name, storage }) => ({
    name,
    kind: resource.fields[name]?.filter,
    isUnset: values[name] === storage.unset,
    isList: Array.isArray(values[name]),
    texts: textsIn(values[name]),
  }));
  const searched = fields.filter(({ kind }) => kind === "TEXT" || kind === "GENDER");
  const keys = searched.flatMap(({ name, isUnset, texts }) => {
    const all = isUnset || texts.length === 0 ? [...texts, ""] : texts;
    return all.map((text) => textKey(name, text));
  });
  const folded = fields
    .filter(({ kind, texts }) => kind === "TEXT" && texts.length > 0)
    .map(({ name, isList, texts }) => [name, isList ? texts.map(foldedText) : foldedText(texts[0] ?? "")]);
  return { text_keys: [...new Set(keys)], folded: Object.fromEntries(folded) };
}

/** The texts of a value that filters can find: of a list its entries, the empty one never. */
function textsIn(value: unknown): string[] {
  return [value].flat().filter((text): text is string => typeof text === "string" && text !== "");
}
