import { getCountries, getCountryCallingCode } from "libphonenumber-js/min";

/** Codes of countries. None is the beginning of another one. */
const CODES: ReadonlySet<string> = new Set(getCountries().map((country) => getCountryCallingCode(country)));
const CODE_LENGTH_MAX = 3;

/**
 * The digits by whose beginning a phone is found: all of them, and those behind the code of its country, for a number
 * that begins with `+` or `00`. docs/guides/search.md#phones
 */
export function dialledDigits(phone: string): string[] {
  const digits = phone.replaceAll(/\D/g, "");
  if (digits === "") return [];
  const whole = digits.replace(/^00/, "");
  const isInternational = whole !== digits || /^\s*\+/.test(phone);
  if (!isInternational) return [digits];
  for (let length = 1; length <= CODE_LENGTH_MAX; length++)
    if (CODES.has(whole.slice(0, length)) && whole.length > length) return [whole, whole.slice(length)];
  return [whole];
}
