import { isUtf8 } from "node:buffer";
import { JSON_DEPTH_MAX } from "../../config/limits.ts";
import { scientific } from "./decimal.ts";
import { exactNumber, isExactNumber } from "./exact-number.ts";

/**
 * Sixteen digits are the least that a double may not hold; an exponent of two digits may leave what a decimal holds; a
 * text with an escaped half of a surrogate pair may pretend to be an exact number (lib/values/exact-number.ts). A number stands
 * behind one of these characters or nothing: most ids have something like "1e23" in them, and reading with care costs
 * three times as much.
 */
const NEEDS_CARE = /(?:^|[\s:,[])-?(?:[\d.]{16}|[\d.]+[eE][+-]?\d{2})|\\u[dD]800/;

/** What is wrong with a body that is not JSON of ours, in words for its sender. */
export class JsonError extends Error {}

/**
 * JSON text in UTF-8, at most 64 levels deep. A number that no double holds becomes an ExactNumber. gaps 2, "400 or 422",
 * "Numbers", "Text".
 * @throws JsonError
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new JsonError("The body is not valid UTF-8.");
  const text = bytes.toString("utf8");
  // The parser's own words would show the client a character that cannot be seen.
  if (text.startsWith("\ufeff")) throw new JsonError("The body begins with a byte order mark. Send it without one.");
  if (tooDeep(text)) throw new JsonError(`The body is nested deeper than ${JSON_DEPTH_MAX} levels.`);
  try {
    return shorten(NEEDS_CARE.test(text) ? JSON.parse(text, keepExact as Reviver) : JSON.parse(text));
  } catch (error) {
    throw new JsonError(`The body is not valid JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}

type Reviver = (this: unknown, key: string, value: unknown) => unknown;

/** The third argument holds the source text of a number (ECMAScript "JSON.parse source text access"). */
function keepExact(_key: string, value: unknown, context: { source: string }): unknown {
  if (isExactNumber(value)) return `\ud800${value}`;
  if (typeof value !== "number") return value;
  return isExactly(value, context.source) ? value : exactNumber(context.source);
}

/**
 * Whether the double is written as what was sent, however many zeros and whatever exponent that had. Numbers of equal value
 * are then the same everywhere, and one that is kept exact has sixteen significant digits or a size beyond a double.
 */
function isExactly(value: number, source: string): boolean {
  return Number.isFinite(value) && scientific(String(value)) === scientific(source);
}

/**
 * No schema takes lists of more than 1000 entries, or objects of as many members as this. What is beyond is dropped: the
 * rest is refused all the same, and millions of entries do not become millions of issues.
 */
const ITEMS_KEPT = 1001;
const MEMBERS_KEPT = 20_000;

function shorten(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? value.slice(0, ITEMS_KEPT).map(shorten) : shortenObject(value);
}

function shortenObject(value: object): object {
  // Most objects hold no others, and stay what they are.
  const members = Object.entries(value);
  if (members.length <= MEMBERS_KEPT && !members.some(([, member]) => typeof member === "object")) return value;
  return Object.fromEntries(members.slice(0, MEMBERS_KEPT).map(([name, member]) => [name, shorten(member)]));
}

const QUOTE = 34;
const BACKSLASH = 92;
/** How deep one goes behind a character: [ and { open a level, ] and } close one. */
const STEP = new Map([
  [91, 1],
  [123, 1],
  [93, -1],
  [125, -1],
]);

/** Counts brackets outside of strings; stops at the first that is too deep, so that no parser sees 100,000 of them. */
function tooDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code > 90) depth += STEP.get(code) ?? 0;
    if (depth > JSON_DEPTH_MAX) return true;
  }
  return false;
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
