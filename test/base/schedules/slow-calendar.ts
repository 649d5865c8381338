import fc from "fast-check";
import type { Frequency, Schedule } from "../../../base/schedules/schedule.ts";

/** The calendar, asked of one day at a time, by Date in UTC alone. Days are counted from 1970-01-01. */

const DAY_MS = 24 * 60 * 60 * 1000;

export const FREQUENCIES: (Frequency | null)[] = [
  null,
  "weekday",
  "weekly",
  "biweekly",
  "monthly",
  "quarterly",
  "yearly",
];

export const FIRST_DAY = dayNumber("0001-01-01");
export const LAST_DAY = dayNumber("9999-12-31");

/** Dates of all years, days at the end of months more often. */
export const anyDate = fc.oneof(
  fc.integer({ min: FIRST_DAY, max: LAST_DAY }).map(dateOf),
  fc
    .record({ year: fc.integer({ min: 1, max: 9999 }), month: fc.nat({ max: 11 }), back: fc.nat({ max: 3 }) })
    .map(({ year, month, back }) => dateOf(dayOf(year, month + 1, 0) - back)),
);

export function dayNumber(date: string): number {
  return new Date(`${date}T00:00:00Z`).getTime() / DAY_MS;
}

export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Whether a day is one of a schedule, by the words of the rule. */
export function isOccurrence({ anchor, frequency }: Pick<Schedule, "anchor" | "frequency">, day: number): boolean {
  const passed = day - dayNumber(anchor);
  if (passed < 0 || day > LAST_DAY) return false;
  const weekday = new Date(day * DAY_MS).getUTCDay();
  switch (frequency) {
    case null:
      return passed === 0;
    case "weekday":
      return weekday !== 0 && weekday !== 6;
    case "weekly":
      return passed % 7 === 0;
    case "biweekly":
      return passed % 14 === 0;
    case "monthly":
      return isMonthly(anchor, day, 1);
    case "quarterly":
      return isMonthly(anchor, day, 3);
    case "yearly":
      return isMonthly(anchor, day, 12);
  }
}

function isMonthly(anchor: string, day: number, months: number): boolean {
  const [year = 0, month = 0, date = 0] = anchor.split("-").map(Number);
  const other = new Date(day * DAY_MS);
  const passed = (other.getUTCFullYear() - year) * 12 + other.getUTCMonth() + 1 - month;
  const lastOfMonth = new Date(dayOf(other.getUTCFullYear(), other.getUTCMonth() + 1, 0) * DAY_MS).getUTCDate();
  return passed % months === 0 && other.getUTCDate() === Math.min(date, lastOfMonth);
}

/** Date.UTC takes the years 0 to 99 for those of the twentieth century. */
function dayOf(year: number, monthIndex: number, day: number): number {
  return new Date(0).setUTCFullYear(year, monthIndex, day) / DAY_MS;
}
