import ICAL from "ical.js";
import type { WallMs } from "../wall-time.ts";
import { type Properties, parameterOf, timesIn } from "./properties.ts";
import { ruleOf, STEPS_MAX, timesOf, wallOfTime } from "./recurrence.ts";
import type { Clock } from "./zones.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const YEAR_MS = 365.25 * DAY_MS;
const YEARS_BEFORE = 5;
const YEARS_AFTER = 1;
/**
 * Maximum number of instances: an event of every day within the window, and a few more.
 * docs/guides/import-interactions.md#calendars
 */
export const INSTANCES_MAX = 2200;

/** When an event takes place; instants are milliseconds since 1970. */
export interface Times {
  starts: number[];
  durationMs: number;
  repeats: boolean;
  /** True if the event takes place more often than is listed. */
  hasMore: boolean;
}

/** A time of a property as an instant, and as local time of its zone. */
export interface Moment {
  time: ICAL.Time;
  wall: WallMs;
  instant: number;
  clock: Clock;
}

export type MomentsOf = (properties: Properties, name: string) => Moment[];

/**
 * Creates the reader of the times of a calendar. All-day events begin at midnight UTC, and times without a zone are in
 * `floating`.
 */
export function createMoments(clockOf: (zone: string) => Clock | null, floating: string): MomentsOf {
  function clockFor(property: ICAL.Property, time: ICAL.Time): Clock {
    if (time.isDate || time.zone === ICAL.Timezone.utcTimezone) return (wall) => wall;
    const named = parameterOf(property, "tzid");
    const clock = clockOf(named || floating);
    if (clock) return clock;
    if (named) throw new Error(`the time zone "${named}" is unknown`);
    throw new Error(`the time zone "${floating}" of the calendar (X-WR-TIMEZONE) is unknown: name one with --zone`);
  }

  return (properties, name) =>
    (properties.get(name) ?? []).flatMap((property) =>
      timesIn(property).map((time) => {
        const clock = clockFor(property, time);
        const wall = wallOfTime(time);
        return { time, wall, instant: clock(wall), clock };
      }),
    );
}

/**
 * When an event takes place: once, or by its rules within the window around `now`.
 * @throws Error with the reason in plain words, when its times cannot be read or its rules not be followed
 */
export function timesOfEvent(properties: Properties, momentsOf: MomentsOf, now: number): Times {
  const [start] = momentsOf(properties, "dtstart");
  if (!start) throw new Error("it has no start");
  const durationMs = durationOf(properties, momentsOf, start);
  const repeats = ["rrule", "rdate"].some((name) => properties.has(name)) && !properties.has("recurrence-id");
  if (!repeats) return { starts: [start.instant], durationMs, repeats, hasMore: false };
  const window = { from: now - YEARS_BEFORE * YEAR_MS, to: now + YEARS_AFTER * YEAR_MS };
  const isExcluded = excludedBy(properties, momentsOf);
  const starts = new Set<number>();
  for (const { wall, instant } of repetitions(properties, momentsOf, start, window)) {
    if (instant >= window.from && instant <= window.to && !isExcluded(wall, instant)) starts.add(instant);
    if (starts.size > INSTANCES_MAX) break;
  }
  const ordered = [...starts].sort((a, b) => a - b).slice(0, INSTANCES_MAX);
  return { starts: ordered, durationMs, repeats, hasMore: starts.size > INSTANCES_MAX };
}

/**
 * Duration of an event. Without an end it is 0, or a day for an all-day event. An end before the start does not count.
 */
function durationOf(properties: Properties, momentsOf: MomentsOf, start: Moment): number {
  const [end] = momentsOf(properties, "dtend");
  const duration = properties.get("duration")?.[0]?.getFirstValue();
  const without = start.time.isDate ? DAY_MS : 0;
  if (end) return Math.max(end.instant - start.instant, 0);
  return duration instanceof ICAL.Duration ? Math.max(duration.toSeconds() * 1000, 0) : without;
}

interface Window {
  from: number;
  to: number;
}

type Repetition = Pick<Moment, "wall" | "instant">;

/** All times of an event that may lie in the window, those of one rule in order; some may come twice. */
function* repetitions(
  properties: Properties,
  momentsOf: MomentsOf,
  start: Moment,
  window: Window,
): Generator<Repetition> {
  if (properties.has("exrule")) throw new Error("it has an EXRULE, which is not supported");
  const budget = { steps: STEPS_MAX };
  yield start;
  for (const property of properties.get("rrule") ?? []) {
    const rule = ruleOf(property.getFirstValue() as ICAL.Recur);
    // A day more, because no zone is further from UTC than that.
    for (const wall of timesOf(rule, start.time, window.to + DAY_MS, budget)) {
      if (wall < window.from - DAY_MS) continue;
      const instant = start.clock(wall);
      if (isPast(rule.recur.until, wall, instant)) break;
      yield { wall, instant };
    }
  }
  yield* momentsOf(properties, "rdate");
}

/** UNTIL is an instant in UTC, a time of the event's own zone, or a day, and then the whole day counts. */
function isPast(until: ICAL.Time | null, wall: WallMs, instant: number): boolean {
  if (!until) return false;
  const end = wallOfTime(until);
  if (until.isDate) return wall >= end + DAY_MS;
  return until.zone === ICAL.Timezone.utcTimezone ? instant > end : wall > end;
}

/** EXDATE excludes instants, or whole days. */
function excludedBy(properties: Properties, momentsOf: MomentsOf): (wall: WallMs, instant: number) => boolean {
  const moments = momentsOf(properties, "exdate");
  const days = new Set(moments.filter(({ time }) => time.isDate).map(({ wall }) => wall));
  const instants = new Set(moments.filter(({ time }) => !time.isDate).map(({ instant }) => instant));
  return (wall, instant) => instants.has(instant) || days.has(Math.floor(wall / DAY_MS) * DAY_MS);
}
