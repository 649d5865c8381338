import type { Uuid } from "../../base/values/ids.ts";
import { dialledDigits } from "../../base/values/phone-digits.ts";
import { lexemeStart, lexemesOf, type WordKind } from "../../base/values/search-words.ts";
import type { Resource } from "./resource.ts";

// The column `words` of a table holds the lexemes of the texts by which a search over everything finds its rows.
// docs/decisions/0025-search.md

/**
 * The text of a tsvector that holds the words of a record, a note or a task. A word of a name is there as such alone,
 * wherever else it stands.
 * @param values by field, as they are stored
 */
export function wordColumn(
  { worded }: Pick<Resource, "worded">,
  workspaceId: Uuid,
  values: Record<string, unknown>,
): string {
  const found: Record<WordKind, string[]> = { name: [], other: [], phone: [] };
  for (const { name, words } of worded) found[words].push(...textsIn(values[name]));
  const names = new Set(found.name.flatMap(lexemesOf));
  const others = new Set([...found.other, ...found.phone].flatMap(lexemesOf));
  for (const name of names) others.delete(name);
  return [
    vectorOf(lexemeStart(workspaceId, "digits"), new Set(found.phone.flatMap(dialledDigits))),
    vectorOf(lexemeStart(workspaceId, "name"), names),
    vectorOf(lexemeStart(workspaceId, "other"), others),
  ].join("");
}

/** The text of a tsvector that holds the words of a custom text. */
export function wordsOfValue(workspaceId: Uuid, text: string): string {
  return vectorOf(lexemeStart(workspaceId, "other"), new Set(lexemesOf(text)));
}

/**
 * Maximum length of the lexemes of one kind together, in bytes. A tsvector has at most 1 MB. The words of a text of
 * 100,000 characters can take more. Then those at the end of the text are not found.
 */
const VECTOR_BYTES_MAX = 900_000;

/** Lexemes are letters, marks and digits, so that they need quotes and no more. */
function vectorOf(start: string, lexemes: ReadonlySet<string>): string {
  let text = "";
  let bytes = 0;
  for (const lexeme of lexemes) {
    bytes += start.length + Buffer.byteLength(lexeme);
    if (bytes > VECTOR_BYTES_MAX) break;
    text += `'${start}${lexeme}' `;
  }
  return text;
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((text) => typeof text === "string");
  return typeof value === "string" ? [value] : [];
}
