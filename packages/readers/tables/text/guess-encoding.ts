import { analyse } from "chardet";
import { ReadError } from "../../read-error.ts";
import type { Input } from "../input.ts";

/** Bytes of the lines beyond ASCII that are looked at. */
const LOOKED_AT_BYTES = 64 * 1024;

/** Lines of a file that are not only ASCII. */
interface Foreign {
  /** Those lines, one behind the other. */
  bytes: Buffer;
  /** Characters of several bytes that are valid in UTF-8, and the line of the first invalid one. */
  valid: number;
  firstInvalid: number;
  invalid: number;
}

/**
 * Guesses the encoding of a file that is not in UTF-8. Names and places are too short for statistics of letters to tell
 * the languages of Western Europe apart from those of its middle, so Windows-1252 is taken unless another one fits
 * clearly better.
 * @throws ReadError when the file is UTF-8 but for some bytes
 */
export async function guessEncoding(
  input: Input,
  isMarked: boolean,
): Promise<{ name: string; isGuess: true; example: string | null }> {
  const foreign = await foreignLines(input);
  if (isMarked || foreign.valid > foreign.invalid || isSurrogate(foreign.bytes))
    throw new ReadError(
      `${input.name}:${foreign.firstInvalid} is not in UTF-8, as the rest of the file is. Save the file anew in UTF-8, or name its encoding with --encoding.`,
    );
  const name = isMacRoman(foreign.bytes) ? "macintosh" : byLetters(foreign.bytes);
  return { name, isGuess: true, example: exampleIn(name, foreign.bytes) };
}

const LINE_FEED = 10;

async function foreignLines(input: Input): Promise<Foreign> {
  const foreign = { valid: 0, invalid: 0, firstInvalid: 0 };
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let line = 1;
  let rest: Buffer = Buffer.alloc(0);
  const take = (text: Buffer) => {
    if (text.some((byte) => byte >= 0x80)) {
      const counts = countUtf8(text);
      foreign.valid += counts.valid;
      foreign.invalid += counts.invalid;
      if (counts.invalid > 0 && foreign.firstInvalid === 0) foreign.firstInvalid = line;
      if (keptBytes < LOOKED_AT_BYTES) kept.push(text.subarray(0, LOOKED_AT_BYTES - keptBytes));
      keptBytes += text.length;
    }
    line += 1;
  };
  for await (const piece of input.pieces()) {
    const bytes = Buffer.concat([rest, piece]);
    let begin = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, begin)) {
      take(bytes.subarray(begin, end + 1));
      begin = end + 1;
    }
    rest = bytes.subarray(begin);
    // A file without any line feed would grow here.
    if (rest.length > LOOKED_AT_BYTES) {
      take(rest);
      line -= 1;
      rest = Buffer.alloc(0);
    }
  }
  if (rest.length > 0) take(rest);
  return { ...foreign, bytes: Buffer.concat(kept) };
}

/** Counts the characters beyond ASCII that are valid in UTF-8, and the bytes that begin none. */
function countUtf8(bytes: Buffer): { valid: number; invalid: number } {
  const text = bytes.toString("latin1");
  const characters = text.match(UTF8)?.length ?? 0;
  const left = text.replaceAll(UTF8, "").match(/[\x80-\xff]/g)?.length ?? 0;
  return { valid: characters, invalid: left };
}

const UTF8 =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}/g;

/**
 * Half of a pair of UTF-16, written as if it were a character in UTF-8: a fault of some programs, and no text in any
 * encoding.
 */
function isSurrogate(bytes: Buffer): boolean {
  return /\xed[\xa0-\xbf][\x80-\xbf]/.test(bytes.toString("latin1"));
}

/**
 * Mac Roman has its letters with accents where Windows-1252 has signs and a few capitals: read in the wrong one,
 * capitals and signs stand within words.
 */
function isMacRoman(bytes: Buffer): boolean {
  const letters = bytes.toString("latin1").match(/(?<=[A-Za-z])[\x80-\xff]|[\x80-\xff](?=[a-z])/g) ?? [];
  const low = letters.filter((letter) => letter < "\xa0").length;
  return low * 2 > letters.length && oddities("macintosh", bytes) < oddities("windows-1252", bytes);
}

/** Number of accented capitals within words, and of signs at the end of words that no language writes there. */
function oddities(name: string, bytes: Buffer): number {
  const text = decoded(name, bytes);
  const capitals = text.match(/\p{L}(?!\p{ASCII})\p{Lu}\p{Ll}|\p{Ll}(?!\p{ASCII})\p{Lu}/gu)?.length ?? 0;
  const signs = text.match(/\p{L}[^\p{L}\p{M}\p{N}\s\p{ASCII}’‘“”®™°–—…·«»]/gu)?.length ?? 0;
  return capitals + signs;
}

/** Name that chardet gives an encoding → the name for reading it. Other encodings have the same name in lower case. */
const NAMES: Record<string, string> = { "iso-8859-1": "windows-1252", "iso-8859-9": "windows-1254" };
/** Factor by which another encoding has to be more likely than that of Western Europe. */
const CLEARLY = 1.4;
/** Confidence, of 100, below which chardet's guess says nothing: it gives less to a handful of ambiguous bytes. */
const CONFIDENCE_MIN = 20;
/** Number of accents below which the language cannot be recognized. */
const ACCENTS_MIN = 12;

function byLetters(bytes: Buffer): string {
  if (hasFewAccents(bytes)) return "windows-1252";
  const guesses = analyse(bytes).map(({ name, confidence }) => {
    const lower = name.toLowerCase();
    return { name: NAMES[lower] ?? lower, confidence };
  });
  const readable = guesses.filter(({ name }) => canDecode(name, bytes));
  const western = readable.find(({ name }) => name === "windows-1252")?.confidence ?? 0;
  const [best] = readable.filter(({ name }) => name !== "utf-8" && name !== "ascii");
  return best && best.confidence >= CONFIDENCE_MIN && best.confidence > western * CLEARLY ? best.name : "windows-1252";
}

/**
 * True if there are a few accented letters among others, as in "Jörg". In other scripts such bytes follow each other
 * directly.
 */
function hasFewAccents(bytes: Buffer): boolean {
  const words = bytes.toString("latin1").match(/[\x80-\xff]+/g) ?? [];
  return words.length < ACCENTS_MIN && words.every((word) => word.length === 1);
}

function canDecode(name: string, bytes: Buffer): boolean {
  try {
    const decoder = new TextDecoder(name, { fatal: true });
    // The last character may be cut off.
    decoder.decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

const decoded = (name: string, bytes: Buffer): string => new TextDecoder(name).decode(bytes);

const EXAMPLE_LENGTH_MAX = 40;

function exampleIn(name: string, bytes: Buffer): string | null {
  const [word] = /(?<![\p{L}\p{M}'’-])[\p{L}\p{M}'’-]*[^\p{ASCII}\s][\p{L}\p{M}'’-]*/u.exec(decoded(name, bytes)) ?? [];
  return word?.slice(0, EXAMPLE_LENGTH_MAX) ?? null;
}
