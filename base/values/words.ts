import { foldedText } from "./text.ts";

// The full text search finds words in any language. PostgreSQL's own parsers follow the locale of the database, and
// find neither words of scripts that are written without blanks nor emoji. So the words of a text are found here, and
// PostgreSQL keeps them in a tsvector, whose index finds a word by its beginning. docs/guides/notes.md#search

/**
 * A run of letters, marks and digits; or a symbol, which is a word of its own: an emoji with what belongs to it, a
 * currency sign.
 */
const RUN =
  /[\p{L}\p{M}\p{N}]+|\p{Emoji_Presentation}[\p{M}\p{Emoji_Modifier}]*(?:\u200D\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}]*)*|\p{S}\p{M}*/gu;

/** Letters of scripts that are written without blanks between words. */
const WITHOUT_BLANKS =
  /(?=[\p{L}\p{M}\p{N}])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;

/**
 * Maximum number of characters by which a word is found. A lexeme of PostgreSQL has at most 2046 bytes, and no language
 * has words of this length.
 */
const WORD_LENGTH_MAX = 200;

interface Run {
  text: string;
  /** Whether it is of a script without blanks, so that a word may begin at every character of it. */
  isContinuous: boolean;
}

/** The runs of a text in their order, in the form in which texts are compared without letter case. */
function* runsOf(text: string): Generator<Run> {
  for (const [run] of foldedText(text).matchAll(RUN)) {
    let at = 0;
    for (const { 0: part, index } of run.matchAll(WITHOUT_BLANKS)) {
      if (index > at) yield { text: run.slice(at, index), isContinuous: false };
      yield { text: part, isContinuous: true };
      at = index + part.length;
    }
    if (at < run.length) yield { text: run.slice(at), isContinuous: false };
  }
}

/**
 * The text of a tsvector that holds the words of a text. A run without blanks is there as each of its characters with
 * the next.
 */
export function searchVector(text: string): string {
  const words = new Set<string>();
  for (const run of runsOf(text))
    for (const word of run.isContinuous ? pairsOf(run.text) : [cut(run.text)]) words.add(word);
  return [...words].map(quoted).join(" ");
}

/** Expressions that find the texts with all words of a search. */
export interface WordSearch {
  /** The text of a tsquery; null when the search has no word, and so finds nothing. */
  query: string | null;
  /**
   * Runs without blanks that the text must hold as they are. The tsquery has found all their pairs of characters, but
   * perhaps not one behind the other. They are in NFC, and their scripts have no letter case.
   */
  substrings: string[];
}

/** A search for texts that hold all words, each as a beginning, in any order. docs/guides/notes.md#search */
export function wordSearch(search: string): WordSearch {
  const prefixes = new Set<string>();
  const substrings = new Set<string>();
  for (const { text, isContinuous } of runsOf(search)) {
    const pairs = isContinuous ? pairsOf(text) : [];
    // The last character of a longer run is in the last pair already.
    for (const word of isContinuous ? pairs.slice(0, Math.max(1, pairs.length - 1)) : [cut(text)]) prefixes.add(word);
    if (pairs.length > 2) substrings.add(text);
  }
  const terms = [...prefixes].map((word) => `${quoted(word)}:*`);
  return { query: terms.length === 0 ? null : terms.join(" & "), substrings: [...substrings] };
}

/** Each character with the one behind it, and the last one alone: so each part of the run is found by its beginning. */
function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  return characters.map((character, i) => character + (characters[i + 1] ?? ""));
}

function cut(word: string): string {
  return word.length <= WORD_LENGTH_MAX ? word : Array.from(word).slice(0, WORD_LENGTH_MAX).join("");
}

/** A word as tsvector and tsquery take it: in quotes, with quotes and backslashes doubled. */
function quoted(word: string): string {
  return `'${word.replaceAll(/['\\]/g, "$&$&")}'`;
}
