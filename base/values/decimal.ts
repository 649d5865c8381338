import { isExactNumber, type SentNumber, writtenOf } from "./exact-number.ts";

/** Maximum number of digits of a number in all, and after the point. docs/guides/values.md#numbers */
const DIGITS_MAX = 38;
const FRACTION_MAX = 10;

const STRING_FORM = /^[+-]?(\d+)(?:\.(\d+))?$/;
const NUMBER_FORM = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * The canonical decimal of a JSON number or of a text with a number, exact: no exponent, no plus, no leading zeros, no
 * trailing zeros after the point, `0` for `-0`. Null for an invalid number, or one with too many digits.
 * docs/guides/values.md#numbers
 */
export function canonicalDecimal(value: SentNumber): string | null {
  if (typeof value === "number") return fromNumber(String(value));
  if (isExactNumber(value)) return fromNumber(writtenOf(value));
  return STRING_FORM.test(value) ? canonical(value.startsWith("-"), ...parts(value.replace(/^[+-]/, ""))) : null;
}

function parts(digits: string): [whole: string, fraction: string] {
  const [whole = "", fraction = ""] = digits.split(".");
  return [whole, fraction];
}

/** The canonical decimal of a number that is written as in JSON, with or without exponent. */
function fromNumber(source: string): string | null {
  const match = NUMBER_FORM.exec(source);
  if (!match) return null;
  const [, sign, whole = "", fraction = "", exponentText = "0"] = match;
  const exponent = Number(exponentText);
  // With such an exponent every number but zero has too many digits. Written out, 1e999999999 would be a gigabyte of
  // zeros.
  if (Math.abs(exponent) > 10_000) return /^0*$/.test(whole + fraction) ? "0" : null;
  const digits = whole + fraction;
  const point = whole.length + exponent;
  const padded = point <= 0 ? "0".repeat(1 - point) + digits : digits.padEnd(point, "0");
  const at = point <= 0 ? 1 : point;
  return canonical(sign === "-", padded.slice(0, at), padded.slice(at));
}

function canonical(negative: boolean, whole: string, fraction: string): string | null {
  const left = whole.replace(/^0+/, "");
  const right = withoutTrailingZeros(fraction);
  if (left.length + right.length > DIGITS_MAX || right.length > FRACTION_MAX) return null;
  if (left === "" && right === "") return "0";
  return `${negative ? "-" : ""}${left === "" ? "0" : left}${right === "" ? "" : `.${right}`}`;
}

/**
 * A JSON number as its digits and its power of ten. Numbers of equal value give the same text, however they are written
 * and however large they are. A number with an exponent that a double does not hold exactly stays as it is written.
 */
export function scientific(source: string): string {
  const [, sign, whole = "", fraction = "", exponentText = "0"] = NUMBER_FORM.exec(source) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = withoutTrailingZeros(digits);
  if (significant === "") return "0";
  const exponent = Number(exponentText) - fraction.length + digits.length - significant.length;
  return Number.isSafeInteger(exponent) ? `${sign}${significant}e${exponent}` : source;
}

/**
 * The digits up to the last one that is no zero. `/0+$/` would try a row of zeros in the middle from each of its zeros,
 * so its time grows with the square of the row: hours for a number that fills a body.
 */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}
