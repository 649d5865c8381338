import ICAL from "ical.js";
import type { WallMs } from "../wall-time.ts";

/** Rule of an RRULE, by which an event repeats. */
export interface Rule {
  text: string;
  recur: ICAL.Recur;
}

/** Real rules are shorter than 200 characters, and ical.js compares each weekday in a rule with all others. */
const RULE_LENGTH_MAX = 1000;
const INTERVAL_MAX = 10_000;
/** A day is one step: enough for an event of every day since 1900. */
export const STEPS_MAX = 50_000;

/** Steps that are left for the rules of one event. */
export interface Budget {
  steps: number;
}

/**
 * A rule, if it is one that can be followed.
 * @throws Error with the reason in plain words
 */
export function ruleOf(recur: ICAL.Recur): Rule {
  const text = recur.toString();
  if (text.length > RULE_LENGTH_MAX) throw new Error(`its rule has more than ${RULE_LENGTH_MAX} characters`);
  const fault = notFollowed(recur);
  if (fault) throw new Error(`its rule ${text} cannot be followed: ${fault}`);
  return { text, recur };
}

/**
 * When an event that begins at `start` and repeats by a rule takes place, in order, the start among them, until `end`.
 * COUNT is heeded, UNTIL is not, because it may be in another zone.
 * @throws Error when that takes more steps than the budget has left: of rules that never come true there is no other
 *   end
 */
export function* timesOf({ text, recur }: Rule, start: ICAL.Time, end: WallMs, budget: Budget): Generator<WallMs> {
  const { count } = recur;
  const first = wallOfTime(start);
  yield first;
  let told = 1;
  try {
    const iterator = iteratorOf(recur, start, budget);
    for (let time = iterator.next() as ICAL.Time | null; time; time = iterator.next() as ICAL.Time | null) {
      const wall = wallOfTime(time);
      if (wall > end || (count !== null && told >= count)) return;
      if (wall <= first || !isByRule(recur, time, start)) continue;
      told += 1;
      yield wall;
    }
  } catch (error) {
    throw new Error(`its rule ${text} cannot be followed: ${(error as Error).message}`);
  }
}

/** Part of a rule that ical.js would silently get wrong, in words; null if there is none. */
function notFollowed({ freq, interval, parts }: ICAL.Recur): string | null {
  if (!freq) return "it has no FREQ";
  if (interval > INTERVAL_MAX) return `INTERVAL is over ${INTERVAL_MAX}`;
  if (parts.BYDAY?.some((day) => /\d\d/.test(day))) return "BYDAY counts weeks over 9";
  if (freq === "YEARLY" && parts.BYWEEKNO) return "BYWEEKNO is not supported";
  if (!parts.BYSETPOS) return null;
  const isOfMonths = freq === "MONTHLY" || (freq === "YEARLY" && parts.BYMONTH);
  return isOfMonths && parts.BYDAY && !parts.BYMONTHDAY ? null : "BYSETPOS is supported with BYDAY in months only";
}

/** A rule is followed in the time of the event's own zone, so the zone is left out. */
function iteratorOf(recur: ICAL.Recur, start: ICAL.Time, budget: Budget): ICAL.RecurIterator {
  function spend(): void {
    budget.steps -= 1;
    if (budget.steps < 0) throw new Error("it repeats too often, or never comes true");
  }

  /** All loops of the iterator, none of which has a bound of its own, come by one of these. */
  class Bounded extends ICAL.RecurIterator {
    override check_contracting_rules(): boolean {
      spend();
      return super.check_contracting_rules();
    }

    override increment_month(): void {
      spend();
      super.increment_month();
    }

    // biome-ignore lint/suspicious/noExplicitAny: the type of the library
    override expand_year_days(year: any): number {
      spend();
      return super.expand_year_days(year);
    }
  }

  const rule = recur.clone();
  rule.count = null;
  rule.until = null;
  const dtstart = start.clone();
  dtstart.zone = ICAL.Timezone.localTimezone;
  return new Bounded({ rule, dtstart });
}

/**
 * ical.js continues into March where February has no 30th day. The rule does not have such a time.
 * docs/guides/import-interactions.md#calendars
 */
function isByRule({ freq, parts }: ICAL.Recur, time: ICAL.Time, start: ICAL.Time): boolean {
  if (parts.BYMONTH && !parts.BYMONTH.includes(time.month)) return false;
  const days = parts.BYMONTHDAY;
  if (days)
    return days.includes(time.day) || days.includes(time.day - ICAL.Time.daysInMonth(time.month, time.year) - 1);
  if (parts.BYDAY || parts.BYYEARDAY) return true;
  if (freq === "MONTHLY") return time.day === start.day;
  return freq !== "YEARLY" || (time.day === start.day && (parts.BYMONTH !== undefined || time.month === start.month));
}

/** Local time of a calendar time, whatever its zone. */
export function wallOfTime({ year, month, day, hour, minute, second, isDate }: ICAL.Time): WallMs {
  const wall = new Date(0);
  wall.setUTCFullYear(year, month - 1, day);
  if (!isDate) wall.setUTCHours(hour, minute, second);
  return wall.getTime();
}
