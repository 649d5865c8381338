import { shortHash } from "../../base/values/short-hash.ts";

/** A key of 64 bits, in decimal digits as PostgreSQL prints it. */
export type Key = string;

const [HIGH, LOW] = [0x811c9dc5, 0x2f3a91c7];
const PLACE_BITS = 32n;
const LOW_BITS = 0xffff_ffffn;

/** Difference between the first and the last key of a range. */
export const SPAN = "4294967295";

/** The key of a text. @param what tells texts of different meanings apart */
export function keyOf(what: string, text: string): Key {
  const whole = `${what} ${text}`;
  return joined(shortHash(whole, HIGH), shortHash(whole, LOW));
}

/** The place of a range of keys: their higher half. */
export function placeOf(what: string, text: string): number {
  return shortHash(`${what} ${text}`, HIGH);
}

/** The key of a text in a range; without one the first key of the range. */
export function rangeKey(place: number, text?: string): Key {
  return joined(place, text === undefined ? 0 : shortHash(text, LOW));
}

/** The first key of the range that a key lies in. */
export function firstOfRange(key: Key): Key {
  return String(BigInt(key) & ~LOW_BITS);
}

function joined(high: number, low: number): Key {
  return String(BigInt.asIntN(64, (BigInt(high) << PLACE_BITS) | BigInt(low)));
}
