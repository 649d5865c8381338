import { JOINS, nfc } from "../values/nfc.ts";
import { BETWEEN } from "./searched.ts";

/** A text as it is searched: code points, and where each begins and ends in the text. Several may stand for one character. */
export interface Reading {
  signs: number[];
  starts: number[];
  ends: number[];
}

/** One way to read texts and marks, so that a mark is found however it is written. */
export type Reader = (text: string) => Reading[];

/** Letter case does not count. */
export const anyCase: Reader = (text) => readings(text, folded);
/** Letter case counts. */
export const asWritten: Reader = (text) => readings(text, (character) => character);

/** `ß` is `SS` in capitals, and the two forms of a small sigma have one capital. */
function folded(character: string): string {
  return character.toUpperCase().toLowerCase();
}

/** In JSON `\n` is a line break, and in plain text a backslash before a word that begins with n. A text is read in both ways. */
function readings(text: string, fold: (character: string) => string): Reading[] {
  const plain = read(text, fold, PLAIN);
  return ESCAPED.test(text) ? [plain, read(text, fold, IN_JSON)] : [plain];
}

const ESCAPED = /\\[bfnrt]/;
/**
 * The parts of a text. In JSON a backslash stands before a quote and before a backslash, and several where JSON stands in JSON: a row
 * of them counts as one.
 */
const PLAIN = partsOf(String.raw`\s+`);
const IN_JSON = partsOf(String.raw`(?:\s|\\+[bfnrt])+`);

function partsOf(blanks: string): RegExp {
  return new RegExp(String.raw`(?<blanks>${blanks})|\\*(?<quote>")|(?<backslashes>\\+)|[^${JOINS}]?[${JOINS}]*`, "suy");
}

/** Blanks and backslashes in a row are gone through once, so the time grows as the text does. */
function read(text: string, fold: (character: string) => string, parts: RegExp): Reading {
  const reading: Reading = { signs: [], starts: [], ends: [] };
  for (let at = 0; at < text.length; ) {
    parts.lastIndex = at;
    const found = parts.exec(text);
    const end = at + (found?.[0].length || 1);
    for (const sign of found ? signsOf(found) : "") for (const one of fold(sign)) add(reading, one, at, end);
    at = end;
  }
  return reading;
}

function signsOf({ 0: part, groups }: RegExpExecArray): string {
  if (groups?.blanks !== undefined) return " ";
  if (groups?.quote !== undefined) return '"';
  if (groups?.backslashes !== undefined) return "\\";
  return nfc(part);
}

function add({ signs, starts, ends }: Reading, sign: string, start: number, end: number): void {
  signs.push(sign.codePointAt(0) ?? 0);
  starts.push(start);
  ends.push(end);
}

const DIGITS_AND_MORE = /[0-9]|[^0-9]+/g;
const LITTLE_BETWEEN = new RegExp(`^[${BETWEEN}]{0,3}$`);

/** The digits of telephone numbers, with up to three signs between two of them. */
export const digits: Reader = (text) => {
  const reading: Reading = { signs: [], starts: [], ends: [] };
  for (const { 0: part, index } of text.matchAll(DIGITS_AND_MORE))
    if (/[0-9]/.test(part) || !LITTLE_BETWEEN.test(part)) add(reading, part, index, index + part.length);
  return [reading];
};
