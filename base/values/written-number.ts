import { canonicalDecimal } from "./decimal.ts";

/** Which sign stands before the decimals. */
export const DECIMAL_SIGNS = ["point", "comma"] as const;
export type DecimalSign = (typeof DECIMAL_SIGNS)[number];

/**
 * Meaning of a text as a number. By each sign of the decimals its canonical form, or null where that makes no number;
 * both are the same unless the sign counts. `units` are the currencies and the percent sign that stand with it, as they
 * are written.
 * docs/guides/import.md#numbers
 */
export type WrittenNumber = Record<DecimalSign, string | null> & { units: string[] };

/** No number is longer, its currency included. */
const LENGTH_MAX = 80;

const UNIT = String.raw`[A-Z]{0,3}\p{Sc}|[A-Z]{3}|%`;
const WRITTEN = new RegExp(
  String.raw`^(?<open>\()?(?<sign>[-+−–])?\s?(?<before>${UNIT})?\s?(?<inner>[-−–])?(?<digits>\d(?:[\d.,'’\s]*\d)?)\s?(?<scale>[kK]|Mio\.?|mn|MM|[Mm]|bn|Mrd\.?|B)?\s?(?<behind>${UNIT})?(?<close>\))?$`,
  "u",
);
/** With a power of ten one digit stands before the decimals, so the sign between them does not count. */
const WITH_POWER = /^(?<sign>[+-]?)(?<whole>\d)(?:[.,](?<fraction>\d+))?E(?<power>[+-]\d{1,3})$/i;
const SCALES = new Map([
  ["k", 3],
  ["K", 3],
  ["M", 6],
  ["m", 6],
  ["MM", 6],
  ["mn", 6],
  ["Mio", 6],
  ["bn", 9],
  ["B", 9],
  ["Mrd", 9],
]);

/** Thousands, all divided by the same sign: 1'200'000. */
const GROUPED = /^[1-9]\d{0,2}(?<sign>[.,'’\s])\d{3}(?:\k<sign>\d{3})*$/;
const CURRENCIES = new Set(Intl.supportedValuesOf("currency"));

function readPower(text: string): WrittenNumber | null {
  const { sign = "", whole = "", fraction = "", power } = WITH_POWER.exec(text)?.groups ?? {};
  const number = canonicalDecimal(`${sign}${shifted(whole, fraction, Number(power))}`);
  return number === null ? null : { point: number, comma: number, units: [] };
}

/** Reads a number as people and programs write it; null for a text that is none. */
export function readNumber(text: string): WrittenNumber | null {
  if (WITH_POWER.test(text)) return readPower(text);
  const parts = text.length > LENGTH_MAX ? undefined : WRITTEN.exec(text)?.groups;
  if (!parts || (parts.open === undefined) !== (parts.close === undefined)) return null;
  const units = [parts.before, parts.behind].flatMap((unit) => unit ?? []);
  if (units.some((unit) => /^[A-Z]{3}$/.test(unit) && !CURRENCIES.has(unit))) return null;
  const isMoney = units.some((unit) => unit !== "%");
  const { digits = "", scale = "" } = parts;
  // 1.80 m is a height, $1.8m are millions.
  if (scale === "m" && !isMoney) return null;
  const exponent = SCALES.get(scale.replace(".", "")) ?? 0;
  // Money has no thousandths, so $1,200 is more than a thousand. $1.125M has thousandths of a million.
  const isThousands = isMoney && exponent === 0 && GROUPED.test(digits);
  const minus = isNegative(parts) ? "-" : "";
  const valueBy = (sign: string, other: string) => {
    const [whole, fraction] = dividedBy(digits, sign, other) ?? [];
    if (whole === undefined || fraction === undefined || (isThousands && fraction.length === 3)) return null;
    return canonicalDecimal(`${minus}${shifted(whole, fraction, exponent)}`);
  };
  const written = { point: valueBy(".", ","), comma: valueBy(",", "."), units };
  return written.point === null && written.comma === null ? null : written;
}

/** Bookkeepers put what is negative in brackets. */
function isNegative({ open, sign = "", inner = "" }: Record<string, string | undefined>): boolean {
  return open !== undefined || /[-−–]/.test(sign + inner);
}

/** The digits before and behind a decimal sign; null where they cannot be that. */
function dividedBy(digits: string, sign: string, other: string): [whole: string, fraction: string] | null {
  const [whole = "", fraction = "", ...more] = digits.split(sign);
  if (more.length > 0 || /\D/.test(fraction) || whole.includes(sign)) return null;
  if (/^\d+$/.test(whole)) return [whole, fraction];
  const grouping = GROUPED.exec(whole)?.groups?.sign;
  return grouping === undefined || (/[.,]/.test(grouping) && grouping !== other)
    ? null
    : [whole.replaceAll(/\D/g, ""), fraction];
}

function shifted(whole: string, fraction: string, exponent: number): string {
  const digits = "0".repeat(Math.max(0, -exponent)) + whole + fraction.padEnd(exponent, "0");
  const at = Math.max(0, -exponent) + whole.length + exponent;
  const rest = digits.slice(at);
  return `${digits.slice(0, at)}${rest === "" ? "" : `.${rest}`}`;
}
