import { Temporal } from "temporal-polyfill";
import type { Frequency, Schedule } from "./schedule.ts";

type PlainDate = Temporal.PlainDate;

/** Fields that decide the dates of a schedule. */
type Dates = Pick<Schedule, "anchor" | "frequency">;

const LAST_DATE = Temporal.PlainDate.from("9999-12-31");

/** The first date of a schedule on or after a date. Null when there is none, or none before the year 10000. */
export function firstOccurrence(dates: Dates, from: string): string | null {
  return occurrence(dates, numberAt(dates, Temporal.PlainDate.from(from).subtract({ days: 1 })) + 1);
}

/** The first date of a schedule after a date, which need not be one of the schedule. Null as for `firstOccurrence`. */
export function nextOccurrence(dates: Dates, after: string): string | null {
  return occurrence(dates, numberAt(dates, Temporal.PlainDate.from(after)) + 1);
}

/** The last date of a schedule on or before a date. Null when the schedule begins later. */
export function lastOccurrence(dates: Dates, to: string): string | null {
  return occurrence(dates, numberAt(dates, Temporal.PlainDate.from(to)));
}

/**
 * The last date of a schedule before a date, which need not be one of the schedule. Null when the schedule begins there
 * or later.
 */
export function previousOccurrence(dates: Dates, before: string): string | null {
  return lastOccurrence(dates, Temporal.PlainDate.from(before).subtract({ days: 1 }).toString());
}

/** The date with a number, the first one has 0. Null when there is none, or it is beyond the year 9999. */
function occurrence({ anchor, frequency }: Dates, number: number): string | null {
  if (number < 0) return null;
  const date = rhythmOf(frequency).dateOf(Temporal.PlainDate.from(anchor), number);
  return date === null || isAfter(date, LAST_DATE) ? null : date.toString();
}

/** The number of the last date of a schedule that is not after a date, -1 when all are. */
function numberAt({ anchor, frequency }: Dates, date: PlainDate): number {
  const end = isAfter(date, LAST_DATE) ? LAST_DATE : date;
  return Math.max(-1, rhythmOf(frequency).numberAt(Temporal.PlainDate.from(anchor), end));
}

/**
 * The dates of a frequency, numbered from 0. Both directions are computed and not searched for, so a date thousands of
 * years behind the anchor costs as much as the next one.
 */
interface Rhythm {
  /** The date with a number of 0 or more. Null when there is none. */
  dateOf(anchor: PlainDate, number: number): PlainDate | null;
  /** The number of the last date that is not after `date`. Below 0 when all are. */
  numberAt(anchor: PlainDate, date: PlainDate): number;
}

const ONCE: Rhythm = {
  dateOf: (anchor, number) => (number === 0 ? anchor : null),
  numberAt: (anchor, date) => (isAfter(anchor, date) ? -1 : 0),
};

const RHYTHMS: Record<Frequency, Rhythm> = {
  weekday: weekdays(),
  weekly: everyWeeks(1),
  biweekly: everyWeeks(2),
  monthly: everyMonths(1),
  quarterly: everyMonths(3),
  yearly: everyMonths(12),
};

function rhythmOf(frequency: Frequency | null): Rhythm {
  return frequency === null ? ONCE : RHYTHMS[frequency];
}

function everyWeeks(weeks: number): Rhythm {
  return {
    dateOf: (anchor, number) => anchor.add({ weeks: weeks * number }),
    numberAt: (anchor, date) => Math.floor(daysBetween(anchor, date) / (7 * weeks)),
  };
}

/**
 * Months are added to the anchor, which ends on the last day of a month that lacks the day: 31 January, 28 February, 31
 * March.
 */
function everyMonths(months: number): Rhythm {
  const dateOf = (anchor: PlainDate, number: number) => anchor.add({ months: months * number });
  return {
    dateOf,
    numberAt(anchor, date) {
      const between = (date.year - anchor.year) * 12 + date.month - anchor.month;
      const number = Math.floor(between / months);
      return isAfter(dateOf(anchor, number), date) ? number - 1 : number;
    },
  };
}

/**
 * On a weekend the Monday behind it is the first date. A week has five dates, numbered from the Monday of the first
 * week.
 */
function weekdays(): Rhythm {
  return {
    dateOf(anchor, number) {
      const start = weekdayFrom(anchor);
      const place = start.dayOfWeek - 1 + number;
      return mondayOf(start).add({ days: Math.floor(place / 5) * 7 + (place % 5) });
    },
    numberAt(anchor, date) {
      const start = weekdayFrom(anchor);
      const weeks = daysBetween(mondayOf(start), mondayOf(date)) / 7;
      return weeks * 5 + Math.min(date.dayOfWeek, 5) - start.dayOfWeek;
    },
  };
}

function weekdayFrom(date: PlainDate): PlainDate {
  return date.dayOfWeek > 5 ? date.add({ days: 8 - date.dayOfWeek }) : date;
}

function mondayOf(date: PlainDate): PlainDate {
  return date.subtract({ days: date.dayOfWeek - 1 });
}

function daysBetween(start: PlainDate, end: PlainDate): number {
  return start.until(end, { largestUnit: "days" }).days;
}

function isAfter(date: PlainDate, other: PlainDate): boolean {
  return Temporal.PlainDate.compare(date, other) > 0;
}
