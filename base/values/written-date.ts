import { isDate } from "./dates.ts";
import { nfc } from "./nfc.ts";

/** The languages whose names of months are known, long and short. */
const LANGUAGES = ["en", "en-GB", "de", "de-AT", "fr", "es", "it", "pt", "nl"];

let numbers: Map<string, number> | undefined;

/** The number of a month by its name, 1 to 12, without regard to letter case and a dot; undefined for other words. */
export function monthNamed(word: string): number | undefined {
  numbers ??= monthNumbers();
  return numbers.get(plain(word));
}

function monthNumbers(): Map<string, number> {
  const known = new Map<string, number>();
  for (const language of LANGUAGES)
    for (const style of ["long", "short"] as const) {
      const names = new Intl.DateTimeFormat(language, { month: style, timeZone: "UTC" });
      for (let month = 1; month <= 12; month++) known.set(plain(names.format(Date.UTC(2026, month - 1, 15))), month);
    }
  return known;
}

function plain(word: string): string {
  return nfc(word)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}]/gu, "");
}

/** Order of day and month in a date of numbers. */
export const DAY_ORDERS = ["dmy", "mdy"] as const;
export type DayOrder = (typeof DAY_ORDERS)[number];

/**
 * Meaning of a text as a date. By each order of day and month the day, YYYY-MM-DD, or null where that order makes no
 * day; both are the same unless the order counts. Or another meaning: a date of zeros that stands for none, or a date
 * without its year or its day.
 * docs/guides/import-columns.md#dates
 */
export type WrittenDate = Record<DayOrder, string | null> | "empty" | "no year" | "no day";

/** No date is longer, the time behind it included. */
const LENGTH_MAX = 60;

const TIME_BEHIND =
  /(?:T|[\s,]+)\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?\s*(?:[ap]\.?m\.?)?\s*(?:z|utc|gmt|[+-]\d\d(?::?\d\d)?|[a-z]{2,5})?(?:\s*\([^)]*\))?$/i;
const WEEKDAY_BEFORE = /^(?<word>\p{L}+)\.?,\s*(?<rest>.+)$/u;
const NUMBERS = /^(?<a>\d{1,4})\s?(?<sign>[./–-])\s?(?<b>\d{1,2})\s?\k<sign>\s?(?<c>\d{1,4})\.?$/;
const DAY_FIRST =
  /^(?<day>\d{1,2})(?:st|nd|rd|th|er|º|\.)?[\s/.-]*(?:de\s+)?(?<month>\p{L}+)\.?,?[\s/.-]*(?:del?\s+)?(?<year>\d{4}|'?\d\d)$/u;
const MONTH_FIRST = /^(?<month>\p{L}+)\.?[\s-]*(?<day>\d{1,2})(?:st|nd|rd|th)?,?[\s-]+(?<year>\d{4}|'\d\d)$/u;
const YEAR_FIRST = /^(?<year>\d{4})[\s-]+(?<month>\p{L}+)\.?[\s-]+(?<day>\d{1,2})$/u;
const COMPACT = /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)$/;
const WITHOUT_YEAR = /^(?:--\d\d-?\d\d|\d{1,2}[./]\d{1,2}\.?)$/;
const WITHOUT_DAY = /^(?:\d{4}|\d{4}[./-]\d{1,2}|\d{1,2}[./-]\d{4}|(?<month>\p{L}+)\.? \d{4})$/u;

interface Reading {
  /** Whether 19701224 is a date, as it is where dates are expected. */
  compact?: boolean;
  /** A year of two digits is a hundred years earlier when the date would be after this day. */
  latest?: string;
}

/** Reads a date as people and programs write it; null for a text that is none. docs/guides/import-columns.md#dates */
export function readDate(text: string, reading: Reading = {}): WrittenDate | null {
  if (isDate(text)) return inAnyOrder(text);
  if (text.length > LENGTH_MAX || !/\d/.test(text)) return null;
  const date = withoutWeekday(text.replace(TIME_BEHIND, ""));
  const numbers = NUMBERS.exec(date)?.groups;
  if (numbers) return ofNumbers(numbers, reading);
  const words = DAY_FIRST.exec(date)?.groups ?? MONTH_FIRST.exec(date)?.groups ?? YEAR_FIRST.exec(date)?.groups;
  const month = words?.month === undefined ? undefined : monthNamed(words.month);
  if (words && month !== undefined) return inAnyOrder(dayOf(words.year, month, words.day, reading));
  const compact = reading.compact ? COMPACT.exec(date)?.groups : undefined;
  if (compact) return inAnyOrder(dayOf(compact.year, Number(compact.month), compact.day, reading));
  return incomplete(date);
}

function withoutWeekday(text: string): string {
  const { word, rest } = WEEKDAY_BEFORE.exec(text)?.groups ?? {};
  return word !== undefined && rest !== undefined && monthNamed(word) === undefined ? rest : text;
}

function ofNumbers({ a = "", b = "", c = "", sign }: Record<string, string>, reading: Reading): WrittenDate | null {
  if (Number(a) + Number(b) + Number(c) === 0) return "empty";
  if (a.length === 4) return yearFirst(a, b, c);
  if (a.length > 2 || (c.length !== 2 && c.length !== 4)) return null;
  const dmy = dayOf(c, Number(b), a, reading);
  // With dots the day always comes first.
  const mdy = sign === "." ? dmy : dayOf(c, Number(a), b, reading);
  return dmy === null && mdy === null ? null : { dmy, mdy };
}

function yearFirst(year: string, month: string, day: string): WrittenDate | null {
  if (Number(year) === 0) return "no year";
  if (Number(day) === 0) return "no day";
  return inAnyOrder(dayOf(year, Number(month), day, {}));
}

function inAnyOrder(date: string | null): WrittenDate | null {
  return date === null ? null : { dmy: date, mdy: date };
}

/** Years of two digits: 00 to 29 are 2000 to 2029, 30 to 99 are 1930 to 1999, as in spreadsheets. */
function dayOf(written = "", month: number, day = "", { latest }: Reading): string | null {
  const digits = written.replace("'", "");
  const at = (year: number) =>
    `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`;
  if (digits.length === 4) return isDate(at(Number(digits))) ? at(Number(digits)) : null;
  const year = Number(digits) + (Number(digits) < 30 ? 2000 : 1900);
  const date = latest !== undefined && at(year) > latest ? at(year - 100) : at(year);
  return isDate(date) ? date : null;
}

function incomplete(text: string): WrittenDate | null {
  if (WITHOUT_YEAR.test(text)) return "no year";
  const match = WITHOUT_DAY.exec(text);
  if (!match) return null;
  const month = match.groups?.month;
  return month === undefined || monthNamed(month) !== undefined ? "no day" : null;
}
