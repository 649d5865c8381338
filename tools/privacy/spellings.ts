import { JOINS, nfc } from "../../base/values/nfc.ts";
import { BETWEEN } from "./folded-for-search.ts";

/**
 * A text as it is searched: code points, and where each begins and ends in the text. Several may stand for one
 * character.
 */
export interface Reading {
  signs: Int32Array;
  starts: Int32Array;
  ends: Int32Array;
}

/** One way to read texts and marks, so that a mark is found however it is written. */
export type Reader = (text: string) => Reading[];

/** Letter case does not count. */
export const anyCase: Reader = readerOf((character) => character.toUpperCase().toLowerCase());
/** Letter case counts. */
export const asWritten: Reader = readerOf((character) => character);

/**
 * In JSON `\n` is a line break, and in plain text a backslash before a word that begins with n. A text is read in both
 * ways.
 * @param fold `ß` is `SS` in capitals, and the two forms of a small sigma have one capital
 */
function readerOf(fold: (character: string) => string): Reader {
  const signsOf = createSigns(fold);
  return (text) => {
    const plain = read(text, signsOf, PLAIN);
    return ESCAPED.test(text) ? [plain, read(text, signsOf, IN_JSON)] : [plain];
  };
}

/** A run of characters that are parts by themselves. Each part costs a search, and a long text could take seconds. */
const RUN = String.raw`((?:[^\s"\\${JOINS}](?![${JOINS}])){1,1000})`;
const ESCAPED = /\\[bfnrt]/;
/**
 * The parts of a text. In JSON a backslash stands before a quote and before a backslash, and several where JSON stands
 * in JSON: a row of them counts as one.
 */
const PLAIN = partsOf(String.raw`\s+`);
const IN_JSON = partsOf(String.raw`(?:\s|\\+[bfnrt])+`);

function partsOf(blanks: string): RegExp {
  const other = String.raw`(${blanks})|\\*(")|(\\+)|[^${JOINS}]?[${JOINS}]*`;
  return new RegExp(`${RUN}|${other}`, "suy");
}

/** Returns the code points that a character stands for, alone or with marks behind it. */
type Signs = (character: string) => readonly number[];

/** A workspace has texts of few scripts. A character with a long row of marks comes once. */
const CHARACTERS_KEPT = 10_000;
const CHARACTER_LENGTH_KEPT = 4;

function createSigns(fold: (character: string) => string): Signs {
  const known = new Map<string, readonly number[]>();
  return (character) => {
    let signs = known.get(character);
    if (signs === undefined) {
      signs = Array.from(nfc(character), fold).flatMap((one) => Array.from(one, (sign) => sign.codePointAt(0) ?? 0));
      if (known.size < CHARACTERS_KEPT && character.length <= CHARACTER_LENGTH_KEPT) known.set(character, signs);
    }
    return signs;
  };
}

/** Blanks and backslashes in a row are gone through once, so the time grows as the text does. */
function read(text: string, signsOf: Signs, parts: RegExp): Reading {
  const reading = beginReading(text);
  for (let at = 0; at < text.length; ) {
    parts.lastIndex = at;
    const found = parts.exec(text);
    const end = at + (found?.[0].length || 1);
    if (found?.[1] === undefined) reading.add(found ? signsOf(characterOf(found)) : [], at, end);
    else addRun(reading, found[1], signsOf, at);
    at = end;
  }
  return reading.end();
}

function addRun({ add }: OpenReading, run: string, signsOf: Signs, at: number): void {
  let from = at;
  for (const character of run) {
    add(signsOf(character), from, from + character.length);
    from += character.length;
  }
}

/** The character of a part that is not a run. */
function characterOf({ 0: part, 2: blanks, 3: quote, 4: backslashes }: RegExpExecArray): string {
  if (blanks !== undefined) return " ";
  return quote ?? (backslashes === undefined ? part : "\\");
}

interface OpenReading {
  /** Adds the signs of what stands in the text from `start` to `end`. */
  add(all: readonly number[], start: number, end: number): void;
  end(): Reading;
}

/** Lists that grow sign by sign would take ten times as long for a text of megabytes. */
function beginReading({ length }: string): OpenReading {
  let lists = [new Int32Array(length), new Int32Array(length), new Int32Array(length)] as const;
  let count = 0;

  function grow(): void {
    const [signs, starts, ends] = lists.map((list) => {
      const larger = new Int32Array(2 * list.length + 8);
      larger.set(list);
      return larger;
    });
    if (signs && starts && ends) lists = [signs, starts, ends];
  }

  return {
    add(all, start, end) {
      for (const sign of all) {
        if (count === lists[0].length) grow();
        lists[0][count] = sign;
        lists[1][count] = start;
        lists[2][count] = end;
        count += 1;
      }
    },
    end() {
      const [signs, starts, ends] = lists;
      return { signs: signs.subarray(0, count), starts: starts.subarray(0, count), ends: ends.subarray(0, count) };
    },
  };
}

const DIGITS_AND_MORE = /[0-9]|[^0-9]+/g;
const LITTLE_BETWEEN = new RegExp(`^[${BETWEEN}]{0,3}$`);

/** The digits of telephone numbers, with up to three signs between two of them. */
export const digits: Reader = (text) => {
  const reading = beginReading(text);
  for (const { 0: part, index } of text.matchAll(DIGITS_AND_MORE))
    if (/[0-9]/.test(part) || !LITTLE_BETWEEN.test(part))
      reading.add([part.codePointAt(0) ?? 0], index, index + part.length);
  return [reading.end()];
};
