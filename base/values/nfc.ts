// String.prototype.normalize takes the square of a row of combining marks: each mark that stands before its place is
// moved past all the others, and each that composes moves all that follow. 2,500 pairs of two accents, as many as a
// description may have, take it 17 ms, and a body full of them a minute in which nobody else is served. A text with
// such a row is normalized here by the same rules (UAX #15), in a time that grows as its length does.

/**
 * Characters that may join those before them, or change places with them: marks, vowels and finals of Hangul, two
 * letters of Kirat Rai. Before any other character a text can be cut, and its parts be normalized one by one.
 */
export const JOINS: string = String.raw`\p{M}\u1161-\u1175\u11a8-\u11c2\u{16d67}\u{16d68}`;

/** Languages have a handful of marks in a row; "Stream-Safe Text Format" of UAX #15 allows for thirty. */
const STEP = 50;

/** A text that was cut into steps may begin and end with half of a pair of surrogates. */
const ALL_JOIN = new RegExp(`^[${JOINS}\\ud800-\\udfff]*$`, "u");
const UP_TO_NEXT = new RegExp(`[^${JOINS}]*[${JOINS}]*`, "gu");

/**
 * Number of lately normalized texts that are kept: a name is compared several times while it is judged and written, and
 * a text of a filter for each of its fields. The longest texts take ten megabytes together.
 */
const KEPT = 200;
/** Names are shorter. A text of a filter may be as long: it has up to 5,000 characters, of up to two units each. */
const KEPT_LENGTH_MAX = 10_000;
const known = new Map<string, string>();

/** A text in Normalization Form C. */
export function nfc(text: string): string {
  if (!mayHaveLongRow(text)) return text.normalize("NFC");
  let form = known.get(text);
  if (form === undefined) {
    form = normalized(text);
    if (known.size >= KEPT) known.clear();
    if (text.length <= KEPT_LENGTH_MAX) known.set(text, form);
  }
  return form;
}

/** One character with its marks behind it, as Normalization Form D has them. */
export function withMarksApart(character: string): string {
  return character.normalize("NFD");
}

function normalized(text: string): string {
  const parts = text.match(UP_TO_NEXT) ?? [];
  return parts.map((part) => (mayHaveLongRow(part) ? nfcByHand(part) : part.normalize("NFC"))).join("");
}

/** False only for a text without a row of two steps, since that would fill one of them. */
function mayHaveLongRow(text: string): boolean {
  for (let at = 0; at + STEP <= text.length; at += STEP) if (ALL_JOIN.test(text.slice(at, at + STEP))) return true;
  return false;
}

/** With loops over typed arrays, since iterators and texts of one character take ten times as long. */
function nfcByHand(text: string): string {
  const points = decomposed(text);
  const ranks = ranksOf(points);
  sortRows(points, ranks);
  return toText(points.subarray(0, compose(points, ranks)));
}

/**
 * A text whose characters are each decomposed. The order of marks is that of the form only in short pieces, so whoever
 * needs it makes the text NFC afterwards.
 */
export function takenApart(text: string, form: "NFD" | "NFKD"): string {
  return (text.match(/.{1,30}/gsu) ?? []).map((piece) => piece.normalize(form)).join("");
}

/** The code points of a text that is decomposed a few characters at a time. */
function decomposed(text: string): Uint32Array {
  const form = takenApart(text, "NFD");
  const points = new Uint32Array(form.length);
  let count = 0;
  for (let at = 0; at < form.length; count++) {
    const point = form.codePointAt(at) ?? 0;
    points[count] = point;
    at += point > 0xffff ? 2 : 1;
  }
  return points.subarray(0, count);
}

/** The rank of the combining class of each code point, 0 for a starter, which keeps its place. */
function ranksOf(points: Uint32Array): Uint8Array {
  const different = new Set<number>();
  for (let i = 0; i < points.length; i++) different.add(points[i] ?? 0);
  const rankOf = ranksByClass([...different].map((point) => String.fromCodePoint(point)));
  const ranks = new Uint8Array(points.length);
  for (let i = 0; i < points.length; i++) ranks[i] = rankOf.get(points[i] ?? 0) ?? 0;
  return ranks;
}

/** JavaScript has no function for combining classes. But NFD sorts by them, and a text has few different marks. */
function ranksByClass(characters: string[]): Map<number, number> {
  const marks = characters.filter((character) => !keepsPlace(character));
  const sorted = [...marks.join("").normalize("NFD")];
  const rankOf = new Map<number, number>();
  let rank = 0;
  for (const [i, mark] of sorted.entries()) {
    const turned = mark + (sorted[i - 1] ?? "");
    if (i === 0 || turned.normalize("NFD") !== turned) rank += 1;
    rankOf.set(mark.codePointAt(0) ?? 0, rank);
  }
  return rankOf;
}

/**
 * U+0345 is of the highest class and U+0334 of the lowest: NFD changes their places unless a starter stands between
 * them.
 */
function keepsPlace(character: string): boolean {
  const between = `\u0345${character}\u0334`;
  return !/^\p{M}$/u.test(character) || between.normalize("NFD") === between;
}

/** Puts the marks behind each starter in the order of their ranks, those of one rank in the order given. */
function sortRows(points: Uint32Array, ranks: Uint8Array): void {
  for (let from = 0, to = 0; from < points.length; from = to + 1) {
    to = ranks.indexOf(0, from);
    if (to < 0) to = points.length;
    if (to - from > 1) sortRow(points.subarray(from, to), ranks.subarray(from, to));
  }
}

/** The classes are numbers up to 254. */
const RANKS_MAX = 255;

function sortRow(points: Uint32Array, ranks: Uint8Array): void {
  const given = points.slice();
  const places = new Uint32Array(RANKS_MAX + 1);
  for (let i = 0; i < ranks.length; i++) count(places, (ranks[i] ?? 0) + 1);
  for (let rank = 1; rank < places.length; rank++) places[rank] = (places[rank] ?? 0) + (places[rank - 1] ?? 0);
  for (let i = 0; i < ranks.length; i++) points[count(places, ranks[i] ?? 0)] = given[i] ?? 0;
  ranks.sort();
}

/** Adds one to an entry and gives what it was. */
function count(places: Uint32Array, at: number): number {
  const before = places[at] ?? 0;
  places[at] = before + 1;
  return before;
}

/**
 * Makes a code point and the starter before it one where they have a common form, and nothing that stayed between them
 * is of the same rank or a higher one. Gives how many are left; they stand in front.
 */
function compose(points: Uint32Array, ranks: Uint8Array): number {
  const forms = new Map<number, number>();
  let left = 0;
  let starter = -1;
  let highest = -1;
  for (let i = 0; i < points.length; i++) {
    const [point = 0, rank = 0] = [points[i], ranks[i]];
    const form = rank > highest ? commonForm(points[starter], point, forms) : 0;
    if (form > 0) points[starter] = form;
    else {
      if (rank === 0) starter = left;
      highest = rank || -1;
      points[left++] = point;
    }
  }
  return left;
}

/**
 * Two code points composed into one; 0 if they stay two, or if there is no first one. `known` keeps earlier results.
 */
function commonForm(first: number | undefined, second: number, known: Map<number, number>): number {
  if (first === undefined) return 0;
  const pair = first * 0x110000 + second;
  const before = known.get(pair);
  if (before !== undefined) return before;
  const [one = "", ...others] = String.fromCodePoint(first, second).normalize("NFC");
  const form = others.length === 0 ? (one.codePointAt(0) ?? 0) : 0;
  known.set(pair, form);
  return form;
}

function toText(points: Uint32Array): string {
  const units = new Uint16Array(points.length * 2);
  let length = 0;
  for (let i = 0; i < points.length; i++) {
    const point = points[i] ?? 0;
    if (point > 0xffff) units[length++] = 0xd7c0 + (point >> 10);
    units[length++] = point > 0xffff ? 0xdc00 + (point & 0x3ff) : point;
  }
  return Buffer.from(units.buffer, 0, length * 2).toString("utf16le");
}
