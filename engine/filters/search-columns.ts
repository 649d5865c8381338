import { LRUCache } from "lru-cache";
import type { Uuid } from "../../base/values/ids.ts";
import { foldedText, textItem } from "../../base/values/text.ts";
import type { SqlType } from "../../model/fields/field.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { wordColumn } from "../../model/resources/word-column.ts";

/** The columns that filters on native texts look at, and that of a search over everything. */
export interface SearchColumns {
  text_keys: string[];
  /**
   * The folded texts of all fields, each at its search place: those of single texts, and those of lists. Lists have a
   * column of their own because their addresses are much alike: a text that is common in addresses would have to be
   * looked for in the names of everybody who has one. A row that was made before a field existed ends before the
   * field's place.
   */
  folded_texts: string;
  folded_lists: string;
  /** The text of a tsvector. Null in rows that a process of an older release has made or changed. */
  words: string;
}

export const SEARCH_COLUMNS: Record<keyof SearchColumns, SqlType> = {
  text_keys: "uuid[]",
  folded_texts: "text",
  folded_lists: "text",
  words: "tsvector",
};

// Capital letters, which folded texts do not have. So no value is found across two fields, or across two entries of a
// list. docs/guides/filters.md#like
const FIELD_END = "F";
const ENTRY_END = "E";

/**
 * The key of a text in a field of a workspace: equal texts have equal keys. The key of the empty text stands for a
 * field without a value. Workspaces have keys of their own, so that a look-up in the index finds no records of others.
 */
export function textKey(workspaceId: Uuid, field: string, text: string): string {
  return text === "" ? unsetKey(workspaceId, field) : textItem(text, `${workspaceId}${field}\u0000`);
}

/**
 * The key of a name without the blanks around it, of records whose names have some. Upserts look for a name by this key
 * and by its own. Filters do not, since to them blanks count. The migration 0028 has made the keys of older rows.
 */
export function trimmedKey(workspaceId: Uuid, { nameField }: Pick<RecordType, "nameField">, name: string): string {
  return textItem(name.trim(), `${workspaceId}${nameField} trimmed\u0000`);
}

/** Maximum number of keys of fields without a value that are kept, of about a hundred bytes each. */
const UNSET_KEYS_MAX = 10_000;
const unsetKeys = new LRUCache<string, string>({ max: UNSET_KEYS_MAX });

/** The key of a field without a value. It is kept, since most fields of most records have none. */
function unsetKey(workspaceId: Uuid, field: string): string {
  const name = `${workspaceId}${field}`;
  const known = unsetKeys.get(name);
  if (known !== undefined) return known;
  const key = textItem(`${name}\u0000`);
  unsetKeys.set(name, key);
  return key;
}

/**
 * The columns by which filters find a record, from its values by field, as they are stored.
 * docs/decisions/0004-filters.md
 */
export function searchColumns(resource: RecordType, workspaceId: Uuid, values: Record<string, unknown>): SearchColumns {
  const keys = new Set<string>();
  for (const { name, storage } of resource.searched) {
    const value = values[name];
    const texts = textsIn(value);
    for (const text of texts) keys.add(textKey(workspaceId, name, text));
    if (value === storage.unset || texts.length === 0) keys.add(unsetKey(workspaceId, name));
  }
  const name = String(values[resource.nameField]);
  if (name !== name.trim() && name.trim() !== "") keys.add(trimmedKey(workspaceId, resource, name));
  return {
    text_keys: [...keys],
    folded_texts: foldedTexts(resource.searchPlaces.texts, values),
    folded_lists: foldedTexts(resource.searchPlaces.lists, values),
    words: wordColumn(resource, workspaceId, values),
  };
}

function foldedTexts(fields: readonly (string | null)[], values: Record<string, unknown>): string {
  let folded = "";
  for (const [place, name] of fields.entries()) {
    if (place > 0) folded += FIELD_END;
    if (name === null) continue;
    for (const [i, text] of textsIn(values[name]).entries()) folded += (i > 0 ? ENTRY_END : "") + foldedText(text);
  }
  return folded;
}

/**
 * SQL for the folded text of a field in the row `r`, and for the column that holds it. The migrations keep statistics
 * of both. Beyond the last place of a row `split_part` returns the empty text, as for a field that is not set.
 */
export function foldedField({ searchPlaces }: RecordType, field: string): { text: string; column: string } {
  const isList = searchPlaces.lists.includes(field);
  const column = isList ? "r.folded_lists" : "r.folded_texts";
  const place = searchPlaces[isList ? "lists" : "texts"].indexOf(field) + 1;
  return { text: `split_part(${column}, '${FIELD_END}', ${place})`, column };
}

/**
 * Whether every row without a text in this field has the key that says so. Of a field that came after the table's first
 * migration, older rows have no key, and neither have rows that a process of an older release still makes meanwhile.
 */
export function hasUnsetKeys({ fields, searchPlaces, initialPlaces }: RecordType, field: string): boolean {
  const place = fields[field]?.searchPlace ?? 0;
  return place <= initialPlaces[searchPlaces.lists.includes(field) ? "lists" : "texts"];
}

/** The keys that rows may lack, since rows that are older than a field have none for it. */
export function missingKeys(resource: RecordType, workspaceId: Uuid): string[] {
  const { texts, lists } = resource.searchPlaces;
  return [...texts, ...lists].flatMap((name) =>
    name !== null && !hasUnsetKeys(resource, name) ? textKey(workspaceId, name, "") : [],
  );
}

const NONE: string[] = [];

/** The texts by which filters can find a value: itself, or the entries of a list, without those that are empty. */
function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((text) => typeof text === "string" && text !== "");
  return typeof value === "string" && value !== "" ? [value] : NONE;
}

/** The texts of a row of the search table by field, those of lists as lists: folded, as they stand there. */
export function textsOfRow(
  { searchPlaces }: RecordType,
  { folded_texts, folded_lists }: Record<string, string | null>,
): Record<string, string | string[]> {
  const texts: Record<string, string | string[]> = {};
  const inPlaces = (folded: string | null | undefined) => (folded ?? "").split(FIELD_END);
  for (const [place, text] of inPlaces(folded_texts).entries()) texts[searchPlaces.texts[place] ?? ""] = text;
  for (const [place, list] of inPlaces(folded_lists).entries())
    texts[searchPlaces.lists[place] ?? ""] = list.split(ENTRY_END);
  return texts;
}
