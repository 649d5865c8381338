import { pairsOf, wordsOf } from "../../base/values/search-words.ts";
import { isSlip } from "../../base/values/slip.ts";

/** A word that is looked for. */
export interface AskedWord {
  folded: string;
  /** Its code points. */
  characters: string[];
  /** Whether it is a run of a script without blanks, which is found wherever it stands in another one. */
  isContinuous: boolean;
}

/** The parts of a search. All words are to be found; or the digits, as the beginning of a phone. */
export interface Asked {
  words: AskedWord[];
  /** Beginnings of phones. Empty unless the search looks like a phone. */
  digits: string[];
  /** Whether it is an e-mail address or a URL. If it is found without a slip, slips are not looked for. */
  isAddress: boolean;
}

/** Texts that are compared with phones. docs/guides/search.md#phones */
const LIKE_A_PHONE = /^[\d\s+()\-/.]+$/;
const DIGITS_MIN = 4;

/** The words of a search, each once, and its digits. */
export function askedOf(text: string): Asked {
  const words = new Map<string, AskedWord>();
  for (const { folded, isContinuous } of wordsOf(text))
    words.set(folded, { folded, characters: Array.from(folded), isContinuous });
  return {
    words: [...words.values()],
    digits: LIKE_A_PHONE.test(text) ? beginnings(text) : [],
    isAddress: /\S@\S|:\/\/\S/.test(text),
  };
}

/** The digits, without the zeros that are dialled before a code or a number. */
function beginnings(text: string): string[] {
  const digits = text.replaceAll(/\D/g, "");
  if (digits.length < DIGITS_MIN) return [];
  const bare = digits.replace(/^00?/, "");
  return bare === digits || bare === "" ? [digits] : [digits, bare];
}

/** The way in which a word was found: as a whole word, as the beginning of one, with one slip. Smaller is better. */
export type Closeness = 0 | 1 | 2;
export const EXACT = 0;
export const PREFIX = 1;
export const SLIP = 2;

/** Letters from which on a word is found with a slip. docs/guides/search.md#slips */
const SLIP_LENGTH_MIN = 4;

/** Whether a word is found with a slip: numbers are not. */
export function mayHaveSlip({ folded, characters }: AskedWord): boolean {
  return characters.length >= SLIP_LENGTH_MIN && /\p{L}/u.test(folded);
}

/**
 * The way in which a word of a text is the one that is asked for; null if it is another one. Any part of a run without
 * blanks is a word.
 */
export function closenessOf(asked: AskedWord, found: string): Closeness | null {
  if (asked.isContinuous) return partOfRun(asked, found)?.closeness ?? null;
  if (found === asked.folded) return EXACT;
  if (found.startsWith(asked.folded)) return PREFIX;
  return mayHaveSlip(asked) && isSlip(asked.folded, found) ? SLIP : null;
}

/** A part of a run that is the word which is asked for, in UTF-16 units. */
interface PartOfRun {
  closeness: Closeness;
  start: number;
  end: number;
}

/** The first and closest part of a run without blanks that is a word. One character is a beginning. */
export function partOfRun(asked: AskedWord, run: string): PartOfRun | null {
  const { characters, folded } = asked;
  const start = run.indexOf(folded);
  if (start >= 0) return { closeness: characters.length > 1 ? EXACT : PREFIX, start, end: start + folded.length };
  return mayHaveSlip(asked) ? slipInRun(characters, Array.from(run)) : null;
}

function slipInRun(characters: readonly string[], run: readonly string[]): PartOfRun | null {
  // A slip leaves one of the first two characters in one of the first two places. Most places of a long run have none.
  const word = characters.join("");
  const [first, second] = characters;
  const isFirst = (character: string | undefined) => character === first || character === second;
  for (let from = 0; from < run.length; from++) {
    if (!isFirst(run[from]) && !isFirst(run[from + 1])) continue;
    for (const length of [characters.length, characters.length - 1, characters.length + 1]) {
      const part = run.slice(from, from + length);
      if (!isSlip(word, part.join(""))) continue;
      const start = run.slice(0, from).join("").length;
      return { closeness: SLIP, start, end: start + part.join("").length };
    }
  }
  return null;
}

/** The lexemes by which an index finds a word: of a run without blanks each character with the next. */
export function lexemesOfAsked({ folded, characters, isContinuous }: AskedWord): string[] {
  // The last character of a longer run is in the last pair already.
  return isContinuous ? pairsOf(folded).slice(0, Math.max(1, characters.length - 1)) : [folded];
}
