import { quoted } from "contact-workspace-readers/cell-text";
import { canonicalDecimal } from "../../base/values/decimal.ts";
import { DECIMAL_SIGNS, type DecimalSign, readNumber, type WrittenNumber } from "../../base/values/written-number.ts";
import { hasLostDigits, lostTold } from "./lost-digits.ts";

/** What the numbers of a column tell of how they are written. docs/guides/import.md#numbers */
export interface NumberColumn {
  see(text: string): void;
  /** The sign before the decimals; undefined where the column does not tell. */
  decimalSign(): DecimalSign | undefined;
  /** Whether some of the numbers have so many digits that spreadsheets show others like them with a power of ten. */
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
  // Of a plain number with too many digits the rule of the API is told.
  if (number === null) return PLAIN.test(text) ? { value: text } : { fault: `${quoted(text)} is no number: ${HOW}` };
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
