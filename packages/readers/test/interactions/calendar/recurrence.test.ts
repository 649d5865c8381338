import { describe, expect, it } from "@jest/globals";
import ICAL from "ical.js";
import { ruleOf, STEPS_MAX, timesOf } from "../../../interactions/calendar/recurrence.ts";

const recur = (text: string) => ICAL.Recur.fromString(text);

function times(text: string, start: string, count = 10, end = "2100-01-01"): string[] {
  const found: string[] = [];
  const budget = { steps: STEPS_MAX };
  for (const wall of timesOf(ruleOf(recur(text)), ICAL.Time.fromDateTimeString(start), Date.parse(end), budget)) {
    found.push(
      new Date(wall)
        .toISOString()
        .slice(0, 16)
        .replace("T", " ")
        .replace(/ 09:00$/, ""),
    );
    if (found.length >= count) break;
  }
  return found;
}

const FIRST = "1997-09-02T09:00:00";
const september = (...days: number[]) => days.map((day) => `1997-09-${String(day).padStart(2, "0")}`);

describe("A rule by which an event repeats (docs/guides/import-interactions.md#calendars)", () => {
  // Dates were worked out by hand from calendars of these years.
  it.each([
    ["FREQ=DAILY;COUNT=3", FIRST, september(2, 3, 4)],
    ["FREQ=DAILY;INTERVAL=10;COUNT=3", FIRST, september(2, 12, 22)],
    ["FREQ=WEEKLY;COUNT=3", FIRST, september(2, 9, 16)],
    ["FREQ=WEEKLY;INTERVAL=2;WKST=SU;COUNT=3", FIRST, ["1997-09-02", "1997-09-16", "1997-09-30"]],
    ["FREQ=WEEKLY;COUNT=4;WKST=SU;BYDAY=TU,TH", FIRST, september(2, 4, 9, 11)],
    [
      "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
      "1997-08-05T09:00:00",
      ["1997-08-05", "1997-08-10", "1997-08-19", "1997-08-24"],
    ],
    [
      "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
      "1997-08-05T09:00:00",
      ["1997-08-05", "1997-08-17", "1997-08-19", "1997-08-31"],
    ],
    ["FREQ=MONTHLY;COUNT=3;BYDAY=1FR", "1997-09-05T09:00:00", ["1997-09-05", "1997-10-03", "1997-11-07"]],
    ["FREQ=MONTHLY;COUNT=3;BYDAY=-2MO", "1997-09-22T09:00:00", ["1997-09-22", "1997-10-20", "1997-11-17"]],
    ["FREQ=MONTHLY;BYMONTHDAY=-3;COUNT=3", "1997-09-28T09:00:00", ["1997-09-28", "1997-10-29", "1997-11-28"]],
    ["FREQ=MONTHLY;COUNT=4;BYMONTHDAY=2,15", FIRST, ["1997-09-02", "1997-09-15", "1997-10-02", "1997-10-15"]],
    ["FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3", "1998-02-13T09:00:00", ["1998-02-13", "1998-03-13", "1998-11-13"]],
    [
      "FREQ=MONTHLY;COUNT=3;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
      "1997-09-30T09:00:00",
      ["1997-09-30", "1997-10-31", "1997-11-28"],
    ],
    [
      "FREQ=YEARLY;COUNT=4;BYMONTH=6,7",
      "1997-06-10T09:00:00",
      ["1997-06-10", "1997-07-10", "1998-06-10", "1998-07-10"],
    ],
    ["FREQ=YEARLY;BYDAY=3MO;COUNT=2", "1997-01-20T09:00:00", ["1997-01-20", "1998-01-19"]],
    [
      "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8;COUNT=3",
      "1996-11-05T09:00:00",
      ["1996-11-05", "2000-11-07", "2004-11-02"],
    ],
    ["FREQ=HOURLY;INTERVAL=3;COUNT=3", FIRST, ["1997-09-02", "1997-09-02 12:00", "1997-09-02 15:00"]],
    ["FREQ=DAILY;BYHOUR=9,17;COUNT=3", FIRST, ["1997-09-02", "1997-09-02 17:00", "1997-09-03"]],
  ])("%s from %s", (text, start, expected) => {
    expect(times(text, start)).toEqual(expected);
  });

  it("leaves out the months and years that do not have the day", () => {
    expect(times("FREQ=MONTHLY;COUNT=4", "2024-01-31T09:00:00")).toEqual([
      "2024-01-31",
      "2024-03-31",
      "2024-05-31",
      "2024-07-31",
    ]);
    expect(times("FREQ=MONTHLY;BYMONTHDAY=30;COUNT=3", "2024-01-30T09:00:00")).toEqual([
      "2024-01-30",
      "2024-03-30",
      "2024-04-30",
    ]);
    expect(times("FREQ=YEARLY;COUNT=3", "2024-02-29T09:00:00")).toEqual(["2024-02-29", "2028-02-29", "2032-02-29"]);
    expect(times("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=2", "2024-02-29T09:00:00")).toEqual([
      "2024-02-29",
      "2028-02-29",
    ]);
  });

  it("takes place at the start first, also when the start is none of its times, and counts it", () => {
    expect(times("FREQ=DAILY;BYDAY=MO;COUNT=3", "2024-01-03T09:00:00")).toEqual([
      "2024-01-03",
      "2024-01-08",
      "2024-01-15",
    ]);
    expect(times("FREQ=WEEKLY;BYDAY=MO;COUNT=2", "2024-01-03T09:00:00")).toEqual(["2024-01-03", "2024-01-08"]);
  });

  it("goes to the end of the window, and no further", () => {
    expect(times("FREQ=YEARLY", "2024-01-05T09:00:00", 99, "2026-01-05T09:00:00Z")).toEqual([
      "2024-01-05",
      "2025-01-05",
      "2026-01-05",
    ]);
  });

  it.each([
    ["FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "2024-01-01T00:00:00"],
    ["FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30", "2024-01-01T00:00:00"],
    ["FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "2024-01-01T00:00:00"],
    ["FREQ=DAILY;BYMONTHDAY=0", "2024-01-01T00:00:00"],
    ["FREQ=DAILY;BYDAY=1MO", "2024-01-01T00:00:00"],
    ["FREQ=SECONDLY", "1970-01-01T00:00:00"],
    ["FREQ=MINUTELY", "1970-01-01T00:00:00"],
    ["FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=15", "2024-01-01T00:00:00"],
  ])("%s from %s is given up, within the steps that there are", (text, start) => {
    const budget = { steps: STEPS_MAX };
    const rule = timesOf(ruleOf(recur(text)), ICAL.Time.fromDateTimeString(start), Date.parse("2027-01-01"), budget);
    expect(() => [...rule]).toThrow(/cannot be followed/);
    expect(budget.steps).toBeGreaterThanOrEqual(-1);
  });

  it.each([
    ["FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "2024-01-01T09:00:00"],
    ["FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30", "2024-01-01T09:00:00"],
    ["FREQ=YEARLY;BYDAY=1MO;BYMONTH=4;BYMONTHDAY=15,16", "2024-01-01T09:00:00"],
    ["FREQ=YEARLY;BYYEARDAY=366;INTERVAL=4;BYMONTH=1", "2023-01-01T09:00:00"],
  ])("%s from %s never comes true, and is given up or takes place at its start alone", (text, start) => {
    let found: string[] = [];
    try {
      found = times(text, start, 10, "2030-01-01");
    } catch (error) {
      expect(String(error)).toMatch(/cannot be followed/);
    }
    expect(found.slice(1)).toEqual([]);
  });

  it.each([
    ["FREQ=YEARLY;BYDAY=20MO", /BYDAY counts weeks over 9/],
    ["FREQ=YEARLY;BYWEEKNO=20", /BYWEEKNO is not supported/],
    ["FREQ=YEARLY;BYDAY=MO;BYSETPOS=1", /BYSETPOS is supported with BYDAY in months only/],
    ["FREQ=DAILY;BYDAY=MO;BYSETPOS=1", /BYSETPOS/],
    ["FREQ=DAILY;INTERVAL=10001", /INTERVAL is over 10000/],
    [`FREQ=YEARLY;BYYEARDAY=${Array.from({ length: 366 }, (_, i) => i + 1)}`, /more than 1000 characters/],
    ["COUNT=1", /no FREQ/],
  ])("%.60s is refused at once", (text, reason) => {
    expect(() => ruleOf(recur(text))).toThrow(reason);
  });

  it("with a large interval counts the days on its way", () => {
    expect(times("FREQ=DAILY;INTERVAL=10000", FIRST, 3)).toEqual(["1997-09-02", "2025-01-18", "2052-06-05"]);
  });
});
