import type { Uuid } from "../../base/values/ids.ts";
import { lexemeStart } from "../../base/values/search-words.ts";
import { type Asked, type AskedWord, type Closeness, EXACT, lexemesOfAsked, mayHaveSlip, SLIP } from "./asked.ts";
import { pairsLeft } from "./slips.ts";

// Texts of tsqueries. All lexemes are letters, marks and digits, so quotes around them are enough.

/** Fields in which a word is looked for: in all, in names, in those that are no names. */
export type Among = "any" | "names" | "others";

/** The words of a search, with those among their slips that are in the index. */
export interface Terms {
  workspaceId: Uuid;
  asked: Asked;
  /** Found slips, by word. Empty until they have been looked for. */
  slips: ReadonlyMap<AskedWord, readonly string[]>;
}

/** The tsquery of a word, at most as far from it as told. */
export function wordTerm({ workspaceId, slips }: Terms, word: AskedWord, closeness: Closeness, among: Among): string {
  const term = (lexeme: string, isPrefix: boolean) => lexemeTerm(workspaceId, lexeme, isPrefix, among);
  if (word.isContinuous) return runTerm(word, closeness, term);
  const found = closeness === SLIP ? (slips.get(word) ?? []) : [];
  return anyOf([term(word.folded, closeness !== EXACT), ...found.map((text) => term(text, false))]);
}

/**
 * The tsquery of all words, or of the digits.
 * @param words those that have to be there, by default all
 */
export function allTerm(
  terms: Terms,
  closeness: Closeness,
  among: Among,
  words: readonly AskedWord[] = terms.asked.words,
): string {
  const all = allOf(words.map((word) => wordTerm(terms, word, closeness, among)));
  const digits = among === "any" ? digitsTerms(terms, closeness) : "";
  return digits === "" ? all : anyOf([all, digits]);
}

/** The tsquery of the digits of a search; empty without any. */
export function digitsTerms({ workspaceId, asked: { digits } }: Terms, closeness: Closeness): string {
  return digits.length === 0
    ? ""
    : anyOf(digits.map((beginning) => quoted(lexemeStart(workspaceId, "digits") + beginning, closeness !== EXACT)));
}

function runTerm(word: AskedWord, closeness: Closeness, term: (lexeme: string, isPrefix: boolean) => string): string {
  const isOne = word.characters.length === 1;
  const whole = allOf(lexemesOfAsked(word).map((pair) => term(pair, isOne)));
  if (closeness !== SLIP || !mayHaveSlip(word)) return whole;
  return anyOf([whole, ...pairsLeft(word).map((pairs) => allOf(pairs.map((pair) => term(pair, false))))]);
}

/** The tsquery of one lexeme. */
export function lexemeTerm(workspaceId: Uuid, lexeme: string, isPrefix: boolean, among: Among): string {
  const name = quoted(lexemeStart(workspaceId, "name") + lexeme, isPrefix);
  const other = quoted(lexemeStart(workspaceId, "other") + lexeme, isPrefix);
  return among === "names" ? name : among === "others" ? other : `(${name}|${other})`;
}

function quoted(lexeme: string, isPrefix: boolean): string {
  return `'${lexeme}'${isPrefix ? ":*" : ""}`;
}

function allOf(terms: string[]): string {
  return terms.length === 1 ? terms.join("") : `(${terms.join("&")})`;
}

function anyOf(terms: string[]): string {
  return terms.length === 1 ? terms.join("") : `(${terms.join("|")})`;
}
