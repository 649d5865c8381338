import { COUNTRIES, e164, INVISIBLE, KNOWN_LENGTH_MAX } from "contact-workspace-readers/phone-numbers";
import { type CountryCode, getCountryCallingCode, Metadata, parsePhoneNumberFromString } from "libphonenumber-js/min";
import { LRUCache } from "lru-cache";

/**
 * The digits of the ways in which a number may be written down, for looking it up where nobody has put it into one
 * form: with the code of its country behind `+` or `00`, also with the zero that many write in brackets behind it; and
 * as it is dialled within its country, when `country` says that numbers without a code are of that one.
 * @param number in E.164
 */
export function dialledForms(number: string, country?: CountryCode): string[] {
  const parsed = parsePhoneNumberFromString(number);
  if (!parsed) return [];
  const { countryCallingCode: code, nationalNumber: rest } = parsed;
  const international = [`${code}${rest}`, `00${code}${rest}`, `${code}0${rest}`, `00${code}0${rest}`];
  const isOwn = country !== undefined && getCountryCallingCode(country) === code;
  return isOwn ? [...international, rest, parsed.formatNational().replaceAll(/\D/g, "")] : international;
}

/** The digits of all ways to write a number, within its country too; empty for a text that is not a number. */
export function writtenForms(text: string): string[] {
  const number = e164(text);
  if (number === null) return [];
  const code = parsePhoneNumberFromString(number)?.countryCallingCode;
  return dialledForms(
    number,
    COUNTRIES.find((country) => getCountryCallingCode(country) === code),
  );
}

/** Keys of numbers that were asked for lately: an import asks for each number three times. */
const keysOf = new LRUCache<string, readonly string[]>({ max: 5000 });

/**
 * The keys by which two telephone numbers are compared: they are the same number when they have one in common. One is
 * made of the digits and the `+`, as they are written, the other one is the international form with the extension,
 * where the text has one. A `00` at the beginning counts as `+`; there is no country for numbers without. Empty for a
 * text without digits.
 * docs/guides/import-matching.md#matching
 */
export function phoneKeys(text: string): readonly string[] {
  let keys = keysOf.get(text);
  if (!keys) {
    keys = makePhoneKeys(text);
    if (text.length <= KNOWN_LENGTH_MAX) keysOf.set(text, keys);
  }
  return keys;
}

function makePhoneKeys(text: string): string[] {
  const digits = text.replaceAll(/\D/g, "");
  if (digits === "") return [];
  const isInternational = /^\D*(?:\+|00)/.test(text);
  if (!isInternational) return [digits];
  const written = text.includes("+") ? `+${digits}` : `+${digits.slice(2)}`;
  if (isAsInternational(text, written.slice(1))) return [written];
  const parsed = parsePhoneNumberFromString(text.replaceAll(INVISIBLE, "").replace(/^\D*00/, "+"), { extract: false });
  if (!parsed?.isPossible()) return [written];
  return [...new Set([written, parsed.ext ? `${parsed.number};ext=${parsed.ext}` : parsed.number])];
}

const PLAIN = /^\+[\d ().-]+$/;
const CODE_LENGTH_MAX = 3;

/**
 * Whether the digits of a text are certainly those of its international form. They are for nearly all numbers with a
 * `+`. The exceptions have a prefix for calls within the country in front of the number, mostly a zero. To parse a text
 * as a telephone number takes a hundred times as long.
 */
function isAsInternational(text: string, digits: string): boolean {
  if (!PLAIN.test(text)) return false;
  for (let length = 1; length <= CODE_LENGTH_MAX; length += 1) {
    const prefixes = prefixesByCode().get(digits.slice(0, length));
    if (prefixes) return !prefixes.test(digits.slice(length));
  }
  return false;
}

let known: Map<string, RegExp> | undefined;

/** Code of countries → the prefixes of numbers for calls within one of them. */
function prefixesByCode(): Map<string, RegExp> {
  if (known) return known;
  const byCode = Map.groupBy(COUNTRIES, (country) => String(getCountryCallingCode(country)));
  known = new Map(
    [...byCode].map(([code, countries]) => [code, new RegExp(`^(?:${countries.flatMap(prefixOf).join("|")})`)]),
  );
  return known;
}

function prefixOf(country: CountryCode): string[] {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  // Its types leave this out.
  const plan = metadata.numberingPlan as unknown as { nationalPrefixForParsing(): string | undefined };
  const prefix = plan.nationalPrefixForParsing();
  return prefix ? [`(?:${prefix})`] : [];
}

/** The digits by which a number is looked up that has these keys. */
export function digitsOfPhone(text: string): string[] {
  const written = text.replaceAll(/\D/g, "");
  const forms = phoneKeys(text).flatMap((key) => {
    const [number = "", ext = ""] = key.split(";ext=");
    return key.startsWith("+") ? dialledForms(number).map((digits) => digits + ext) : [];
  });
  return written === "" ? [] : [...new Set([written, ...forms])];
}
