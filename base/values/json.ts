import { isUtf8 } from "node:buffer";
import { BODY_VALUES_MAX, JSON_DEPTH_MAX } from "../../config/limits.ts";
import { scientific } from "./decimal.ts";
import { exactNumber, isExactNumber } from "./exact-number.ts";

/**
 * Finds JSON that has to be read with care. Numbers of fewer than sixteen digits, and exponents of one digit, are held
 * by doubles; others may not be. A text with an escaped half of a surrogate pair may pretend to be an exact number
 * (base/values/exact-number.ts). Reading with care takes three times as long, and many ids have something like "1e23"
 * in them: so only what stands where a number may begin, behind one of these characters or at the start, is taken for a
 * number.
 */
const NEEDS_CARE = /(?:^|[\s:,[])-?(?:[\d.]{16}|[\d.]+[eE][+-]?\d{2})|\\u[dD]800/;

/** A body that is refused as JSON; the message says why, in words for its sender. docs/guides/conventions.md#bodies */
export class JsonError extends Error {
  /** Whether it is too large rather than wrong. */
  readonly isTooLarge: boolean;

  constructor(message: string, isTooLarge = false) {
    super(message);
    this.isTooLarge = isTooLarge;
  }
}

/**
 * Reads JSON in UTF-8 that is nested at most 64 levels deep and has at most BODY_VALUES_MAX values. A number that no
 * double holds becomes an ExactNumber, and lists and objects that are longer than any schema allows are cut off.
 * docs/guides/conventions.md#bodies,
 * docs/guides/values.md#numbers
 * @throws JsonError
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new JsonError("The body is not valid UTF-8.");
  const text = bytes.toString("utf8");
  // JSON.parse would show the client the character in its message, where it cannot be seen.
  if (text.startsWith("\ufeff")) throw new JsonError("The body begins with a byte order mark. Send it without one.");
  checkJsonSize(text);
  try {
    return shorten(NEEDS_CARE.test(text) ? JSON.parse(text, keepExact as Reviver) : JSON.parse(text));
  } catch (error) {
    throw new JsonError(`The body is not valid JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}

type Reviver = (this: unknown, key: string, value: unknown) => unknown;

/**
 * A reviver that keeps numbers exact. Its third argument holds the text of a number as it was written (ECMAScript,
 * "JSON.parse source text access").
 */
function keepExact(_key: string, value: unknown, context: { source: string }): unknown {
  if (isExactNumber(value)) return `\ud800${value}`;
  if (typeof value !== "number") return value;
  return isExactly(value, context.source) ? value : exactNumber(context.source);
}

/**
 * True if the double equals the number that was sent, whatever its zeros and exponent. So 1.0 and 1 are the same number
 * everywhere. A number that is kept exactly has at least sixteen significant digits, or is too large or too small for a
 * double.
 */
function isExactly(value: number, source: string): boolean {
  return Number.isFinite(value) && scientific(String(value)) === scientific(source);
}

/**
 * Bound of the entries that are kept. No schema takes a list of more than 1,000 entries, or an object of as many
 * members; and of the
 * objects in lists, none has more than some forty. The rest is dropped: the request is refused all the same, and
 * millions of entries
 * do not become millions of issues.
 */
const ITEMS_KEPT = 1001;
const MEMBERS_KEPT = 20_000;
const MEMBERS_OF_ITEM_KEPT = 100;

function shorten(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? value.slice(0, ITEMS_KEPT).map(shortenItem) : shortenObject(value, MEMBERS_KEPT);
}

function shortenItem(item: unknown): unknown {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return shorten(item);
  return shortenObject(item, MEMBERS_OF_ITEM_KEPT);
}

function shortenObject(value: object, membersMax: number): object {
  // Most objects hold no other objects, and need not be copied.
  const members = Object.entries(value);
  if (members.length <= membersMax && !members.some(([, member]) => typeof member === "object")) return value;
  return Object.fromEntries(members.slice(0, membersMax).map(([name, member]) => [name, shorten(member)]));
}

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
/** The codes of [ and {, and of ] and }. */
const OPENING = [91, 123];
const CLOSING = [93, 125];

/**
 * Counts brackets and commas outside of strings, and stops at the first that is too much: JSON.parse never sees 100,000
 * open brackets, nor makes millions of objects of ten megabytes of "{},{},". A list or an object has one entry more
 * than it has commas, so commas and opened brackets are as many as all members and elements.
 * docs/guides/limits.md#sizes
 * @throws JsonError
 */
export function checkJsonSize(text: string): void {
  let commas = 0;
  let opened = 0;
  let closed = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === COMMA) commas++;
    else if (OPENING.includes(code)) opened++;
    else if (CLOSING.includes(code)) closed++;
    if (opened - closed > JSON_DEPTH_MAX || commas + opened > BODY_VALUES_MAX) throw tooMuch(opened - closed);
  }
}

function tooMuch(depth: number): JsonError {
  return depth > JSON_DEPTH_MAX
    ? new JsonError(`The body is nested deeper than ${JSON_DEPTH_MAX} levels.`)
    : new JsonError(`A body may have at most ${BODY_VALUES_MAX} members and elements altogether.`, true);
}

/** The index of the closing quote of a string that opens at `start`; the end of the text when there is none. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i;
    if (code === BACKSLASH) i++;
  }
  return text.length;
}

/**
 * The JSON text of a list, made of the JSON texts of its entries. It adds them with `+`, because V8 then copies the
 * characters once, for the bytes of the answer. `join` copies them twice, which costs 4 % of a page of 100 records.
 */
export function jsonList(texts: readonly string[]): string {
  let list = "";
  for (const text of texts) list += list === "" ? text : `,${text}`;
  return `[${list}]`;
}
