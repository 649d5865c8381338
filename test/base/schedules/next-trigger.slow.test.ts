import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { dateIn } from "../../../base/schedules/instants.ts";
import { firingOf, latestTrigger, nextTrigger } from "../../../base/schedules/next-trigger.ts";
import type { Frequency, Schedule } from "../../../base/schedules/schedule.ts";
import { dateOf, dayNumber, FREQUENCIES, isOccurrence } from "./slow-calendar.ts";
import { watchClock } from "./slow-clock.ts";

const ZONES = ["Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia"];
const DAY_MS = 24 * 60 * 60 * 1000;

/** The next triggers, each asked for at the instant of the one before it. */
function triggersFrom(schedule: Schedule, after: string, count: number): (string | null)[] {
  const found: (string | null)[] = [];
  let clock: Date | null = new Date(after);
  while (clock !== null && found.length < count) {
    clock = nextTrigger(schedule, clock);
    found.push(clock?.toISOString() ?? null);
  }
  return found;
}

describe("the next trigger", () => {
  it.each<[string, Schedule, string, (string | null)[]]>([
    [
      "keeps to the clocks of Paris when summer begins, and comes later where they skip it",
      { anchor: "2026-03-15", time: "02:30:00", zone: "Europe/Paris", frequency: "weekly" },
      "2026-03-20T00:00:00.000Z",
      ["2026-03-22T01:30:00.000Z", "2026-03-29T01:30:00.000Z", "2026-04-05T00:30:00.000Z"],
    ],
    [
      "comes once, at the first of both times, when summer ends in Paris",
      { anchor: "2026-10-18", time: "02:30:00", zone: "Europe/Paris", frequency: "weekly" },
      "2026-10-17T00:00:00.000Z",
      ["2026-10-18T00:30:00.000Z", "2026-10-25T00:30:00.000Z", "2026-11-01T01:30:00.000Z"],
    ],
    [
      "comes once when summer ends in New York",
      { anchor: "2026-11-01", time: "01:30:00", zone: "America/New_York", frequency: "biweekly" },
      "2026-10-31T00:00:00.000Z",
      ["2026-11-01T05:30:00.000Z", "2026-11-15T06:30:00.000Z", "2026-11-29T06:30:00.000Z"],
    ],
    [
      "keeps to clocks that change by half an hour",
      { anchor: "2026-09-27", time: "02:15:00", zone: "Australia/Lord_Howe", frequency: "weekly" },
      "2026-09-26T00:00:00.000Z",
      ["2026-09-26T15:45:00.000Z", "2026-10-03T15:45:00.000Z", "2026-10-10T15:15:00.000Z"],
    ],
    [
      "comes on the day after one that the calendar leaves out",
      { anchor: "2011-12-23", time: "09:00:00", zone: "Pacific/Apia", frequency: "weekly" },
      "2011-12-22T00:00:00.000Z",
      ["2011-12-23T19:00:00.000Z", "2011-12-30T19:00:00.000Z", "2012-01-05T19:00:00.000Z"],
    ],
    [
      "is on Monday in the zone when it is Sunday in UTC still",
      { anchor: "2026-01-01", time: "05:00:00", zone: "Asia/Kathmandu", frequency: "weekday" },
      "2026-01-08T23:15:00.000Z",
      ["2026-01-11T23:15:00.000Z", "2026-01-12T23:15:00.000Z"],
    ],
    [
      "is on the last day of months that lack the 31st",
      { anchor: "2026-01-31", time: "09:00:00", zone: "Europe/Paris", frequency: "monthly" },
      "2026-01-30T00:00:00.000Z",
      ["2026-01-31T08:00:00.000Z", "2026-02-28T08:00:00.000Z", "2026-03-31T07:00:00.000Z"],
    ],
    [
      "is on 29 February in leap years only",
      { anchor: "2024-02-29", time: "09:00:00", zone: "UTC", frequency: "yearly" },
      "2026-11-22T00:00:00.000Z",
      ["2027-02-28T09:00:00.000Z", "2028-02-29T09:00:00.000Z", "2029-02-28T09:00:00.000Z"],
    ],
    [
      "is the only one of a schedule that does not repeat",
      { anchor: "2026-12-01", time: "09:00:00", zone: "Europe/Paris", frequency: null },
      "2026-11-22T00:00:00.000Z",
      ["2026-12-01T08:00:00.000Z", null],
    ],
    [
      "is the first one, years later, when the anchor is still to come",
      { anchor: "2030-06-01", time: "09:00:00", zone: "Europe/Paris", frequency: "yearly" },
      "2026-11-22T00:00:00.000Z",
      ["2030-06-01T07:00:00.000Z"],
    ],
    [
      "is not there when the only one has passed",
      { anchor: "2026-11-01", time: "09:00:00", zone: "Europe/Paris", frequency: null },
      "2026-11-22T00:00:00.000Z",
      [null],
    ],
    [
      "ends with the year 9999 of the calendar",
      { anchor: "9998-12-31", time: "09:00:00", zone: "UTC", frequency: "yearly" },
      "9998-12-30T00:00:00.000Z",
      ["9998-12-31T09:00:00.000Z", "9999-12-31T09:00:00.000Z", null],
    ],
    [
      "ends with the year 9999 in UTC, which New York reaches before its own year ends",
      { anchor: "9998-12-31", time: "19:00:00", zone: "America/New_York", frequency: "yearly" },
      "9998-12-30T00:00:00.000Z",
      ["9999-01-01T00:00:00.000Z", null],
    ],
  ])("%s", (_, schedule, after, expected) => {
    expect(triggersFrom(schedule, after, expected.length)).toEqual(expected);
  });

  it("comes strictly after the instant that is asked for", () => {
    const daily: Schedule = { anchor: "2026-01-01", time: "09:00:00", zone: "UTC", frequency: "weekday" };
    expect(nextTrigger(daily, new Date("2026-01-05T08:59:59.999Z"))?.toISOString()).toBe("2026-01-05T09:00:00.000Z");
    expect(nextTrigger(daily, new Date("2026-01-05T09:00:00.000Z"))?.toISOString()).toBe("2026-01-06T09:00:00.000Z");
  });

  it("comes once where two dates are the same instant, because the calendar leaves one of them out", () => {
    // Manila went over to the other side of the date line: Monday 30 December 1844 was followed by Wednesday 1 January
    // 1845.
    const daily: Schedule = { anchor: "1844-12-01", time: "09:00:00", zone: "Asia/Manila", frequency: "weekday" };
    const instants = triggersFrom(daily, "1844-12-30T12:00:00.000Z", 3).map((at) => new Date(String(at)));
    expect(instants.map((at) => dateIn("Asia/Manila", at))).toEqual(["1844-12-30", "1845-01-01", "1845-01-02"]);
  });
});

describe("where the date in a zone jumps", () => {
  const friday: Schedule = { anchor: "2011-12-23", time: "09:00:00", zone: "Pacific/Apia", frequency: "weekly" };
  // St. John's, at -02:30 in summer and at -03:30, went from Sunday 00:01 back to Saturday 23:01: the first minute of
  // Sunday came twice.
  const sunday: Schedule = { anchor: "2010-10-31", time: "00:00:30", zone: "America/St_Johns", frequency: "weekly" };

  it("comes the trigger of a day that is left out, though it is the day after already", () => {
    const saturday = new Date("2011-12-30T12:00:00.000Z");
    expect(nextTrigger(friday, saturday)?.toISOString()).toBe("2011-12-30T19:00:00.000Z");
    expect(latestTrigger(friday, saturday)?.toISOString()).toBe("2011-12-23T19:00:00.000Z");
  });

  it("does a trigger not come again when the day before goes on", () => {
    const saturdayAgain = new Date("2010-11-07T02:45:00.000Z");
    expect(nextTrigger(sunday, saturdayAgain)?.toISOString()).toBe("2010-11-14T03:30:30.000Z");
    expect(latestTrigger(sunday, saturdayAgain)?.toISOString()).toBe("2010-11-07T02:30:30.000Z");
  });
});

describe("the latest trigger", () => {
  const monthly: Schedule = { anchor: "2026-01-31", time: "09:00:00", zone: "Europe/Paris", frequency: "monthly" };

  it.each([
    ["2026-01-31T07:59:59.999Z", null],
    ["2026-01-31T08:00:00.000Z", "2026-01-31T08:00:00.000Z"],
    ["2026-02-28T07:59:59.999Z", "2026-01-31T08:00:00.000Z"],
    ["2026-02-28T08:00:00.000Z", "2026-02-28T08:00:00.000Z"],
    ["2026-08-15T00:00:00.000Z", "2026-07-31T07:00:00.000Z"],
  ])("at %s is %s", (until, expected) => {
    expect(latestTrigger(monthly, new Date(until))?.toISOString() ?? null).toBe(expected);
  });

  it("stays the only one of a schedule that does not repeat", () => {
    const once = { ...monthly, frequency: null };
    expect(latestTrigger(once, new Date("2020-01-01T00:00:00Z"))).toBeNull();
    expect(latestTrigger(once, new Date("9999-01-01T00:00:00Z"))?.toISOString()).toBe("2026-01-31T08:00:00.000Z");
  });
});

const TIMES = ["00:00:00", "01:45:00", "02:15:30", "02:30:00", "09:00:00", "23:45:00"];

/**
 * The schedules of a frequency in a zone. Anchors are on the 30th and 31st, on a Friday, which Apia left out in 2011,
 * and on a Sunday, when clocks are changed elsewhere.
 */
function schedulesOf(frequency: Frequency | null, zone: string, year: string): Schedule[] {
  const anchors: Record<string, string[]> = { null: [`${year}-03-29`, `${year}-10-02`], weekday: ["2010-10-31"] };
  const of = anchors[String(frequency)] ?? ["2010-09-30", "2010-12-31", "2010-10-31"];
  // There are so many weekdays that the times about the changes of clocks have to do.
  const times = frequency === "weekday" ? TIMES.slice(1, 4) : TIMES;
  return of.flatMap((anchor) => times.map((time) => ({ anchor, time, zone, frequency })));
}

/**
 * The triggers of a schedule between two dates, as a calendar and a clock show that are looked at from day to day and
 * minute to minute.
 */
function watchedTriggers(schedule: Schedule, from: string, to: string, clock: ReturnType<typeof watchClock>): string[] {
  const instants: string[] = [];
  for (let day = dayNumber(from); day <= dayNumber(to); day++) {
    if (isOccurrence(schedule, day)) instants.push(clock(dateOf(day), schedule.time).toISOString());
  }
  return [...new Set(instants)];
}

describe.each(ZONES)("a year of triggers in %s, the clock moved from one to the next", (zone) => {
  describe.each(["2011", "2026", "2027"])("of %s", (year) => {
    const clock = watchClock(zone, `${Number(year) - 1}-12-25`, `${Number(year) + 1}-01-05`);
    const [start, end] = [new Date(`${year}-01-01T00:00:00Z`), new Date(`${Number(year) + 1}-01-01T00:00:00Z`)];

    it.each(FREQUENCIES)("gives exactly those that a watched calendar and clock show (%s)", (frequency) => {
      for (const schedule of schedulesOf(frequency, zone, year)) {
        const watched = watchedTriggers(schedule, `${Number(year) - 1}-12-28`, `${Number(year) + 1}-01-03`, clock);
        const expected = watched.filter((at) => new Date(at) > start && new Date(at) <= end);
        const found: string[] = [];
        for (let at = nextTrigger(schedule, start); at !== null && at <= end; at = nextTrigger(schedule, at)) {
          found.push(at.toISOString());
        }
        expect(expected.length).toBeGreaterThan(0);
        expect(found).toEqual(expected);
      }
    });
  });
});

describe("firing", () => {
  const daily: Schedule = { anchor: "2026-03-02", time: "09:00:00", zone: "Europe/Paris", frequency: "weekday" };
  const planned = new Date("2026-03-27T08:00:00.000Z");

  it("does not happen before the planned instant", () => {
    expect(firingOf(daily, planned, new Date("2026-03-27T07:59:59.999Z"))).toBeNull();
  });

  it("happens at the planned instant, and plans the next one by the changed clocks", () => {
    expect(firingOf(daily, planned, planned)).toEqual({
      lastTriggerTime: planned,
      nextTriggerTime: new Date("2026-03-30T07:00:00.000Z"),
    });
  });

  it("happens once after a time without the server, for the latest of all that were planned since", () => {
    expect(firingOf(daily, planned, new Date("2026-05-06T12:34:56.789Z"))).toEqual({
      lastTriggerTime: new Date("2026-05-06T07:00:00.000Z"),
      nextTriggerTime: new Date("2026-05-07T07:00:00.000Z"),
    });
  });

  it("plans nothing when nothing repeats", () => {
    const once: Schedule = { ...daily, anchor: "2026-03-27", frequency: null };
    expect(firingOf(once, planned, new Date("2026-05-06T12:00:00.000Z"))).toEqual({
      lastTriggerTime: planned,
      nextTriggerTime: null,
    });
  });

  it("counts for the planned instant when newer time zone data has moved that one, or done away with it", () => {
    const moved = new Date("2026-03-27T08:30:00.000Z");
    expect(firingOf(daily, moved, new Date("2026-03-27T08:30:01.000Z"))?.lastTriggerTime).toEqual(moved);
    const later: Schedule = { ...daily, anchor: "2027-01-01" };
    expect(firingOf(later, planned, planned)).toEqual({
      lastTriggerTime: planned,
      nextTriggerTime: new Date("2027-01-01T08:00:00.000Z"),
    });
  });

  const clocks = new Map(ZONES.map((zone) => [zone, watchClock(zone, "2026-01-01", "2028-01-05")]));
  const schedules = fc.record({
    anchor: fc.integer({ min: dayNumber("2024-01-01"), max: dayNumber("2026-06-01") }).map(dateOf),
    time: fc
      .integer({ min: 0, max: 24 * 60 - 1 })
      .map((minute) => new Date(minute * 60_000).toISOString().slice(11, 19)),
    zone: fc.constantFrom(...ZONES),
    frequency: fc.constantFrom(...FREQUENCIES),
  });
  /** Instants of 2026 and 2027 at which the clock is looked at, mostly some hours apart, sometimes months. */
  const looks = fc
    .array(fc.oneof(fc.nat({ max: DAY_MS }), fc.nat({ max: DAY_MS }), fc.nat({ max: 100 * DAY_MS })), { maxLength: 60 })
    .map(looksApart);

  it("happens at most once at each look at the clock, for the last trigger since the look before, and leaves none out", () => {
    fc.assert(
      fc.property(schedules, looks, (schedule, [start = new Date(0), ...instants]) => {
        const clock = clocks.get(schedule.zone) ?? watchClock(schedule.zone, "2026-01-01", "2028-01-05");
        const all = watchedTriggers(schedule, "2025-12-31", "2028-01-04", clock).map((at) => new Date(at));
        const expected = instants.map((now, i) =>
          all.filter((at) => at > (instants[i - 1] ?? start) && at <= now).at(-1),
        );
        let planned = nextTrigger(schedule, start);
        const fired = instants.map((now) => {
          const firing = planned && firingOf(schedule, planned, now);
          if (firing) planned = firing.nextTriggerTime;
          return firing?.lastTriggerTime;
        });
        expect(fired).toEqual(expected);
      }),
    );
  });

  it("plans the first trigger after now, and the latest trigger is the last one until now", () => {
    fc.assert(
      fc.property(schedules, looks, (schedule, [start = new Date(0), ...instants]) => {
        const now = instants.at(-1) ?? start;
        const clock = clocks.get(schedule.zone) ?? watchClock(schedule.zone, "2026-01-01", "2028-01-05");
        const all = watchedTriggers(schedule, "2025-12-31", "2028-01-04", clock).map((at) => new Date(at));
        const latest = all.filter((at) => at <= now).at(-1);
        const coming = all.find((at) => at > now);
        if (latest) expect(latestTrigger(schedule, now)).toEqual(latest);
        if (coming) expect(nextTrigger(schedule, now)).toEqual(coming);
        for (const at of all.slice(0, 5)) {
          expect(latestTrigger(schedule, at)).toEqual(at);
          expect(nextTrigger(schedule, new Date(at.getTime() - 1))).toEqual(at);
        }
      }),
    );
  });
});

/** Instants from 3 January 2026 to November 2027, each so many milliseconds after the one before it. */
function looksApart(pauses: number[]): Date[] {
  const end = Date.parse("2027-12-01T00:00:00Z");
  let now = Date.parse("2026-01-03T00:00:00Z");
  const instants = [new Date(now)];
  for (const pause of pauses) {
    now += pause;
    if (now < end) instants.push(new Date(now));
  }
  return instants;
}
