import { quoted } from "contact-workspace-readers/cell-text";
import { canonicalDecimal } from "../../base/values/decimal.ts";
import { hasLostDigits, lostTold } from "./lost-digits.ts";

/** Which sign stands before the decimals. */
const DECIMAL_SIGNS = ["point", "comma"] as const;
type DecimalSign = (typeof DECIMAL_SIGNS)[number];

/**
 * Meaning of a text as a number. By each sign of the decimals its canonical form, or null where that makes no number;
 * both are the same unless the sign counts. `units` are the currencies and the percent sign that stand with it, as they
 * are written.
 * docs/guides/import-columns.md#numbers
 */
type WrittenNumber = Record<DecimalSign, string | null> & { units: string[] };

/** No number is longer, its currency included. */
const LENGTH_MAX = 80;

const UNIT = String.raw`[A-Z]{0,3}\p{Sc}|[A-Z]{3}|%`;
const WRITTEN = new RegExp(
  String.raw`^(?<open>\()?(?<sign>[-+−–])?\s?(?<before>${UNIT})?\s?(?<inner>[-−–])?(?<digits>\d(?:[\d.,'’\s]*\d)?)\s?(?<scale>[kK]|Mio\.?|mn|MM|[Mm]|bn|Mrd\.?|B)?\s?(?<behind>${UNIT})?(?<close>\))?$`,
  "u",
);
/** With a power of ten, one digit is before the decimals, so the sign between them does not matter. */
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

/** Reads a number as people and programs write it; null for another text. */
function readNumber(text: string): WrittenNumber | null {
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

/** Bookkeepers put negative amounts in brackets. */
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

/** Finds the notation of the numbers of a column. docs/guides/import-columns.md#numbers */
export interface NumberColumn {
  see(text: string): void;
  /** The sign before the decimals; undefined where the column does not tell. */
  decimalSign(): DecimalSign | undefined;
  /** True if some numbers have enough digits that spreadsheets show others like them with a power of ten. */
  isLong(): boolean;
  /** The currency, or the percent sign, that stands first in the column. */
  unit(): string | undefined;
}

export function createNumberColumn(): NumberColumn {
  const only: Record<DecimalSign, boolean> = { point: false, comma: false };
  let isGrouped = false;
  let unit: string | undefined;
  let isLong = false;
  return {
    see(text) {
      isLong ||= LONG.test(text);
      const number = readNumber(text);
      if (number === null) return;
      unit ??= number.units[0];
      if (number.point === number.comma) return;
      if (number.comma === null) only.point = true;
      else if (number.point === null) only.comma = true;
      else if (canonicalDecimal(text) !== text) isGrouped = true;
    },
    decimalSign() {
      const [sign, second] = DECIMAL_SIGNS.filter((one) => only[one]);
      if (second) return undefined;
      // Numbers of the API have a point: 1.125 is such a one, 1.200 is not.
      return sign ?? (isGrouped ? undefined : "point");
    },
    isLong: () => isLong,
    unit: () => unit,
  };
}

/** Native fields that are amounts of a currency → its signs. */
const UNITS = new Map([["fundingRaised", ["USD", "$", "US$"]]]);

/** Excel shows a number of twelve digits as 4.94E+11. */
const LONG = /^[+-]?\d{12,}$/;
const PLAIN = /^[+-]?\d+(?:\.\d+)?$/;
const HOW = "write it like 1200.50";

/** The number that a cell says in canonical form, or why it says none. */
export function numberIn(
  text: string,
  column: NumberColumn,
  field: string | undefined,
): { value?: string; fault?: string } {
  if (column.isLong() && hasLostDigits(text)) return { fault: lostTold(text) };
  const number = readNumber(text);
  // A plain number with too many digits gets the message of the API.
  if (number === null) return PLAIN.test(text) ? { value: text } : { fault: `${quoted(text)} is not a number: ${HOW}` };
  const unit = column.unit();
  const units = UNITS.get(field ?? "") ?? (unit === undefined ? [] : [unit]);
  const hasOther = number.units.length > 0 && !number.units.some((one) => units.includes(one));
  if (hasOther) return { fault: `${quoted(text)} is not in ${units[0]}` };
  const value = valueBy(number, column.decimalSign());
  if (value !== null) return { value };
  return {
    fault: `${quoted(text)} may be ${number.point} or ${number.comma}, and the column does not tell: ${HOW}`,
  };
}

function valueBy({ point, comma }: WrittenNumber, sign: DecimalSign | undefined): string | null {
  if (point === null || comma === null || point === comma) return point ?? comma;
  return sign === undefined ? null : { point, comma }[sign];
}
