import { isUtf8 } from "node:buffer";
import { ReadError } from "../../read-error.ts";
import type { Input } from "../input.ts";
import { guessEncoding } from "./guess-encoding.ts";

/**
 * The encodings that a file can be read in, by the names that the web has for them.
 * docs/guides/import-files.md#encodings
 */
export const ENCODINGS = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  ...["1250", "1251", "1252", "1253", "1254", "1255", "1256", "1257", "1258", "874"].map((page) => `windows-${page}`),
  ...["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "13", "14", "15", "16"].map((part) => `iso-8859-${part}`),
  "macintosh",
  "x-mac-cyrillic",
  "koi8-r",
  "koi8-u",
  "ibm866",
  "shift_jis",
  "euc-jp",
  "iso-2022-jp",
  "euc-kr",
  "big5",
  "gbk",
  "gb18030",
];

export interface Encoding {
  /** One of `ENCODINGS`. */
  name: string;
  /** Whether the file does not say it and cannot prove it. */
  isGuess: boolean;
  /** A word of the file as it reads in this encoding; null when the guess needs none. */
  example: string | null;
}

const MARKS: [bytes: number[], name: string][] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];
const SAMPLE_BYTES = 64 * 1024;

/**
 * The encoding of a file: the one that its byte order mark says, or that is named, or UTF-8 when all of the file is
 * valid, or a guess. The mark comes first, because the file of refused rows has one, and is imported with the options
 * of its original.
 * @throws ReadError when the name is unknown, or the file is UTF-8 with bytes in it that are none
 */
export async function encodingOf(input: Input, named?: string): Promise<Encoding> {
  const wanted = named === undefined ? undefined : knownEncoding(named);
  const sample = input.sample(SAMPLE_BYTES);
  const [, marked] = MARKS.find(([bytes]) => bytes.every((byte, i) => sample[i] === byte)) ?? [];
  if (marked !== undefined && (marked !== "utf-8" || (await isAllUtf8(input)))) return sure(marked);
  if (wanted !== undefined) return asNamed(input, wanted);
  const wide = marked === undefined ? utf16Of(sample) : undefined;
  if (wide) return { name: wide, isGuess: true, example: null };
  return (await isAllUtf8(input)) ? sure("utf-8") : guessEncoding(input, marked !== undefined);
}

async function asNamed(input: Input, name: string): Promise<Encoding> {
  if (name !== "utf-8" || (await isAllUtf8(input))) return sure(name);
  throw new ReadError(`${input.name} is not in UTF-8: leave out --encoding to detect the encoding.`);
}

const sure = (name: string): Encoding => ({ name, isGuess: false, example: null });

/** Other ways in which people and programs write the names. */
const ALIASES: Record<string, string> = {
  utf8: "utf-8",
  utf16: "utf-16le",
  latin1: "windows-1252",
  ansi: "windows-1252",
  mac: "macintosh",
  macroman: "macintosh",
  sjis: "shift_jis",
};

function knownEncoding(named: string): string {
  const plain = named.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  const known = ENCODINGS.find((name) => name.replaceAll(/[^a-z0-9]/g, "") === plain) ?? ALIASES[plain];
  const page = ENCODINGS.find((name) => name === plain.replace(/^(?:cp|win|windows)?(\d{3,4})$/, "windows-$1"));
  const found = known ?? page;
  if (found) return found;
  throw new ReadError(`There is no encoding "${named}" here. There are: ${ENCODINGS.join(", ")}.`, { isOption: true });
}

/**
 * In UTF-16 every second byte of letters, digits and signs of ASCII is zero. A few zeros alone are a fault of a text.
 */
const ZEROS_SHARE = 0.1;

function utf16Of(sample: Buffer): string | undefined {
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const enough = (sample.length / 2) * ZEROS_SHARE;
  const name = odd > even ? "utf-16le" : "utf-16be";
  if (Math.max(odd, even) <= enough || Math.min(odd, even) * 10 > Math.max(odd, even)) return undefined;
  return new TextDecoder(name).decode(sample).includes("\n") ? name : undefined;
}

async function isAllUtf8(input: Input): Promise<boolean> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of input.pieces()) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const end = wholeCharacters(bytes);
    if (!isUtf8(bytes.subarray(0, end))) return false;
    rest = bytes.subarray(end);
  }
  return rest.length === 0;
}

/** No character is longer in UTF-8. */
const CHARACTER_BYTES_MAX = 4;

/** Offset of the last character if the bytes end within it. */
function wholeCharacters(bytes: Buffer): number {
  let at = bytes.length - 1;
  const isContinuation = (byte = 0) => byte >= 0x80 && byte < 0xc0;
  while (at > bytes.length - CHARACTER_BYTES_MAX && isContinuation(bytes[at])) at -= 1;
  return at + charactersBytes(bytes[at]) > bytes.length ? Math.max(0, at) : bytes.length;
}

/** Length of the character that begins with this byte, in bytes. */
function charactersBytes(first = 0): number {
  if (first < 0xc0) return 1;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** Note for the user about a guessed encoding. */
export function encodingNote(file: string, encoding: Encoding): string[] {
  if (!encoding.isGuess) return [];
  const example = encoding.example === null ? "" : ` It reads "${encoding.example}", for example.`;
  return [`${file} does not say its encoding: read as ${encoding.name}.${example} --encoding names another one.`];
}
