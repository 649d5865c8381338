import type { RecordType } from "../resources/record-type.ts";
import { foldedText, textItem } from "../values/text.ts";

/** The columns that filters on native texts look at. */
export interface SearchColumns {
  text_keys: string[];
  /**
   * The folded texts of all fields, in the order of their table: of single texts, and of lists. They stand apart since
   * addresses are much alike, and what is common in one of them would be looked for in everybody's name.
   */
  folded_texts: string;
  folded_lists: string;
}

export const SEARCH_COLUMNS: readonly (keyof SearchColumns)[] = ["text_keys", "folded_texts", "folded_lists"];

// Letters that no folded text has, since folding leaves none of them: what is looked for never reaches beyond a field, nor
// beyond an entry of a list.
const FIELD_END = "F";
const ENTRY_END = "E";

/**
 * The key of a text in a field: equal texts have equal keys. The key of the empty text stands for a field without a value.
 */
export function textKey(field: string, text: string): string {
  return text === "" ? unsetKey(field) : textItem(`${field}\u0000${text}`);
}

const unsetKeys = new Map<string, string>();

/** Most fields of most records have no value. */
function unsetKey(field: string): string {
  const key = unsetKeys.get(field) ?? textItem(`${field}\u0000`);
  unsetKeys.set(field, key);
  return key;
}

/** What filters find a record by, from its stored values by field. */
export function searchColumns(resource: RecordType, values: Record<string, unknown>): SearchColumns {
  const fields = resource.columns.map(({ name, storage }) => ({
    name,
    kind: resource.fields[name]?.filter,
    isUnset: values[name] === storage.unset,
    texts: textsIn(values[name]),
  }));
  const searched = fields.filter(({ kind }) => kind === "TEXT" || kind === "GENDER");
  const keys = searched.flatMap(({ name, isUnset, texts }) => {
    const all = isUnset || texts.length === 0 ? [...texts, ""] : texts;
    return all.map((text) => textKey(name, text));
  });
  return {
    text_keys: [...new Set(keys)],
    folded_texts: foldedTexts(foldedFields(resource, false), values),
    folded_lists: foldedTexts(foldedFields(resource, true), values),
  };
}

function foldedTexts(fields: string[], values: Record<string, unknown>): string {
  return fields.map((name) => textsIn(values[name]).map(foldedText).join(ENTRY_END)).join(FIELD_END);
}

/** The fields of texts in one of the two columns. */
function foldedFields(resource: RecordType, lists: boolean): string[] {
  return resource.columns
    .filter(({ name, storage }) => resource.fields[name]?.filter === "TEXT" && Array.isArray(storage.unset) === lists)
    .map(({ name }) => name);
}

/** SQL for a field's folded text in the row `r`, and for the column that it is in. The migration keeps statistics of both. */
export function foldedField(resource: RecordType, field: string): { text: string; column: string } {
  const isList = foldedFields(resource, true).includes(field);
  const column = isList ? "r.folded_lists" : "r.folded_texts";
  const place = foldedFields(resource, isList).indexOf(field) + 1;
  return { text: `split_part(${column}, '${FIELD_END}', ${place})`, column };
}

/** The texts of a value that filters can find: of a list its entries, the empty one never. */
function textsIn(value: unknown): string[] {
  return [value].flat().filter((text): text is string => typeof text === "string" && text !== "");
}
