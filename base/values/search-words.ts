import type { Uuid } from "./ids.ts";
import { nfc, takenApart } from "./nfc.ts";
import { foldedText } from "./text.ts";

// The words by which `/v1/search` finds records, whatever letter case and accents they are written with. The search of
// notes alone (words.ts) tells accents apart, and finds symbols too. docs/guides/search.md#words

/** A word of a text. */
export interface Word {
  /** The word as it is compared. */
  folded: string;
  /** Its place in the text, in UTF-16 units. */
  start: number;
  end: number;
  /** Whether it is a run of a script without blanks, in which a word can begin at every character. */
  isContinuous: boolean;
}

const RUN = /[\p{L}\p{M}\p{N}]+/gu;
const ASCII_RUN = /[\dA-Za-z]+/g;
const NOT_ASCII = /[^\0-\x7F]/;

/** Letters of scripts that are written without blanks between words, and marks behind them. */
const SCRIPTS = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]`;
const WITHOUT_BLANKS = new RegExp(String.raw`(?=[\p{L}\p{N}])${SCRIPTS}+`, "gu");

/**
 * Marks that do not count: those that scripts share, and those of scripts that are read without them. The marks of
 * Indic scripts and of Thai carry letters, and the two of Japanese make other ones.
 */
const MARKS =
  /(?![\u3099\u309A])(?=\p{M})[\p{sc=Inherited}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}]/gu;

/** Letters that Unicode does not take apart, though people write them with others. */
const WRITTEN_AS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ı: "i",
};
const SUCH_LETTERS = new RegExp(`[${Object.keys(WRITTEN_AS).join("")}]`, "g");

/** Maximum number of characters by which a word is found. No language with blanks has words of this length. */
const WORD_LENGTH_MAX = 200;

/** A word as it is compared: without letter case and accents. */
export function foldedWord(word: string): string {
  return cut(foldedRun(word));
}

/** A run of letters of any length as it is compared. A run without blanks may be a whole text. */
export function foldedRun(run: string): string {
  if (!NOT_ASCII.test(run)) return run.toLowerCase();
  const bare = takenApart(foldedText(takenApart(run, "NFKD")), "NFD").replaceAll(MARKS, "");
  return nfc(bare.replaceAll(SUCH_LETTERS, (letter) => WRITTEN_AS[letter] ?? letter));
}

function cut(word: string): string {
  return word.length <= WORD_LENGTH_MAX ? word : Array.from(word).slice(0, WORD_LENGTH_MAX).join("");
}

/** The words of a text, in their order. */
export function wordsOf(text: string): Word[] {
  return [...eachWord(text)];
}

/** The same one by one, for those who need only the first ones of a long text. */
export function* eachWord(text: string): Generator<Word> {
  const isAscii = !NOT_ASCII.test(text);
  for (const { 0: run, index } of text.matchAll(isAscii ? ASCII_RUN : RUN)) {
    if (isAscii) yield wordAt(run, index, false);
    else yield* partsOf(run, index);
  }
}

/** Divides a run where it passes from a script with blanks to one without. */
function* partsOf(run: string, index: number): Generator<Word> {
  let at = 0;
  for (const { 0: part, index: start } of run.matchAll(WITHOUT_BLANKS)) {
    if (start > at) yield* aWord(run.slice(at, start), index + at, false);
    yield* aWord(part, index + start, true);
    at = start + part.length;
  }
  if (at < run.length) yield* aWord(run.slice(at), index + at, false);
}

/** A run of marks alone is no word. */
function* aWord(text: string, start: number, isContinuous: boolean): Generator<Word> {
  const word = wordAt(text, start, isContinuous);
  if (word.folded !== "") yield word;
}

function wordAt(text: string, start: number, isContinuous: boolean): Word {
  const folded = isContinuous ? foldedRun(text) : foldedWord(text);
  return { folded, start, end: start + text.length, isContinuous };
}

/** Each character of a run without blanks with the one behind it, and the last one alone. */
export function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  return characters.map((character, i) => character + (characters[i + 1] ?? ""));
}

/** The kind of the words of a field: those of names are found first, and phones are found by their digits too. */
export type WordKind = "name" | "other" | "phone";

/** Kinds of lexemes → the letter that tells them apart. */
const LEXEMES = { name: "n", other: "o", digits: "p" } as const;

/**
 * The beginning of the lexemes of a kind. Workspaces have lexemes of their own, so that a look-up in an index does not
 * pass over those of others.
 */
export function lexemeStart(workspaceId: Uuid, kind: keyof typeof LEXEMES): string {
  return workspaceId.slice(-6) + LEXEMES[kind];
}

/** The words of a text as lexemes: of a run without blanks each character with the next. */
export function lexemesOf(text: string): string[] {
  return wordsOf(text).flatMap(({ folded, isContinuous }) => (isContinuous ? pairsOf(folded) : [folded]));
}
