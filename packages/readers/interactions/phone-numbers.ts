// The smallest of the three tables of the library. It knows how long the numbers of each country are and what is
// dialled in front of them, which is all that it takes to write a number in one form. The larger ones also know which
// ranges are handed out; they would refuse new ranges until the next update.

import { type CountryCode, getCountries, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";
import { LRUCache } from "lru-cache";

/** The countries of ISO 3166 that have telephone numbers. */
export const COUNTRIES: readonly CountryCode[] = getCountries();

/** Whether this is a country of ISO 3166 that has telephone numbers, in capital letters: `GB`. */
export function isCountry(text: string): text is CountryCode {
  return isSupportedCountry(text);
}

/** Reading a number takes about 20 µs, and the same few take part in thousands of interactions. */
const known = new LRUCache<string, { number: string | null }>({ max: 5000 });
/** No number is longer, and other texts need not be kept. */
export const KNOWN_LENGTH_MAX = 40;

/** Marks that cannot be seen, such as those for the direction of writing that telephones put around numbers. */
export const INVISIBLE = /\p{Cf}/gu;

/**
 * A telephone number in the one form in which numbers are compared, E.164: `+447700900123`. Blanks, brackets and the
 * like do not count, nor does an extension. `country` is where a number without a country code is dialled; without it
 * only numbers that begin with `+` are known. Null for a text that is no number, which matches nobody.
 * docs/guides/import-interactions.md#who-took-part
 */
export function e164(text: string, country?: CountryCode): string | null {
  if (text.length > KNOWN_LENGTH_MAX) return numberIn(text, country);
  const key = `${country ?? ""} ${text}`;
  let found = known.get(key);
  if (!found) {
    found = { number: numberIn(text, country) };
    known.set(key, found);
  }
  return found.number;
}

function numberIn(text: string, country: CountryCode | undefined): string | null {
  const number = parsePhoneNumberFromString(text.replaceAll(INVISIBLE, ""), {
    ...(country !== undefined && { defaultCountry: country }),
    // A number inside of a sentence is not the number of a participant.
    extract: false,
  });
  return number?.isPossible() ? number.number : null;
}
