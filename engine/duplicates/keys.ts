import { shortHash } from "../../base/values/short-hash.ts";

/** A key of 53 bits, as many as a number holds. */
export type Key = number;

const [HIGH, LOW] = [0x811c9dc5, 0x2f3a91c7];
/** Number of keys of a range. */
const RANGE = 2 ** 21;
const DROPPED_BITS = 11;

/** Difference between the first and the last key of a range. */
export const SPAN = RANGE - 1;

/** The key of a text. @param what tells texts of different meanings apart */
export function keyOf(what: string, text: string): Key {
  const whole = `${what} ${text}`;
  return rangeKey(shortHash(whole, HIGH), whole);
}

/** The place of a range of keys: their higher 32 bits. */
export function placeOf(what: string, text: string): number {
  return shortHash(`${what} ${text}`, HIGH);
}

/** The key of a text in a range; without one the first key of the range. */
export function rangeKey(place: number, text?: string): Key {
  return place * RANGE + (text === undefined ? 0 : shortHash(text, LOW) >>> DROPPED_BITS);
}

/** The first key of the range that a key lies in. */
export function firstOfRange(key: Key): Key {
  return key - (key % RANGE);
}
