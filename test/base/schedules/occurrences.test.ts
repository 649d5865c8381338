import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  firstOccurrence,
  lastOccurrence,
  nextOccurrence,
  previousOccurrence,
} from "../../../base/schedules/occurrences.ts";
import type { Frequency } from "../../../base/schedules/schedule.ts";
import { anyDate, dateOf, dayNumber, FREQUENCIES, isOccurrence, LAST_DAY } from "./slow-calendar.ts";

const dates = fc.record({ anchor: anyDate, frequency: fc.constantFrom(...FREQUENCIES) });

/** A date beside an anchor, or anywhere else. */
const datesAndDate = dates.chain((of) =>
  fc.tuple(
    fc.constant(of),
    fc.oneof(
      anyDate,
      fc.integer({ min: -3, max: 1500 }).map((days) => dateOf(inCalendar(dayNumber(of.anchor) + days))),
    ),
  ),
);

function inCalendar(day: number): number {
  return Math.max(dayNumber("0001-01-03"), Math.min(LAST_DAY, day));
}

/** The first dates of a schedule, found one after the other. */
function firstOf(anchor: string, frequency: Frequency, count: number): (string | null)[] {
  const found: (string | null)[] = [firstOccurrence({ anchor, frequency }, anchor)];
  while (found.length < count) found.push(nextOccurrence({ anchor, frequency }, String(found.at(-1))));
  return found;
}

describe("the dates of a schedule", () => {
  it.each<[string, Frequency, string, string[]]>([
    ["on Monday to Friday, of a Friday", "weekday", "2026-01-02", ["2026-01-02", "2026-01-05", "2026-01-06"]],
    ["from the Monday behind it, of a Saturday", "weekday", "2026-01-03", ["2026-01-05", "2026-01-06", "2026-01-07"]],
    ["from the Monday behind it, of a Sunday", "weekday", "2026-01-04", ["2026-01-05", "2026-01-06", "2026-01-07"]],
    ["every seven days", "weekly", "2025-12-28", ["2025-12-28", "2026-01-04", "2026-01-11"]],
    ["every fourteen days", "biweekly", "2025-12-28", ["2025-12-28", "2026-01-11", "2026-01-25"]],
    [
      "on the last day of months that lack the 31st",
      "monthly",
      "2026-01-31",
      ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"],
    ],
    [
      "on 29 February in a leap year, of the 30th",
      "monthly",
      "2027-12-30",
      ["2027-12-30", "2028-01-30", "2028-02-29", "2028-03-30"],
    ],
    [
      "every three months, on the 30th again behind a February",
      "quarterly",
      "2026-11-30",
      ["2026-11-30", "2027-02-28", "2027-05-30", "2027-08-30", "2027-11-30", "2028-02-29"],
    ],
    [
      "on 28 February of other years, and on 29 February of leap years again",
      "yearly",
      "2024-02-29",
      ["2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"],
    ],
    ["on 28 February of all years, of 28 February", "yearly", "2027-02-28", ["2027-02-28", "2028-02-28"]],
    [
      "on 28 February of a century that is no leap year",
      "yearly",
      "2096-02-29",
      ["2096-02-29", "2097-02-28", "2098-02-28", "2099-02-28", "2100-02-28"],
    ],
  ])("are %s (%s from %s)", (_, frequency, anchor, expected) => {
    expect(firstOf(anchor, frequency, expected.length)).toEqual(expected);
  });

  it("are counted from the anchor, not from the date before: 31 March follows 28 February", () => {
    const monthly = { anchor: "2026-01-31", frequency: "monthly" } as const;
    expect(nextOccurrence(monthly, "2026-02-28")).toBe("2026-03-31");
    expect(firstOccurrence(monthly, "2026-03-01")).toBe("2026-03-31");
    expect(previousOccurrence(monthly, "2026-03-31")).toBe("2026-02-28");
  });

  it("are only the anchor when nothing repeats", () => {
    const once = { anchor: "2026-03-01", frequency: null };
    expect(firstOccurrence(once, "2020-01-01")).toBe("2026-03-01");
    expect(firstOccurrence(once, "2026-03-01")).toBe("2026-03-01");
    expect(firstOccurrence(once, "2026-03-02")).toBeNull();
    expect(nextOccurrence(once, "2026-02-28")).toBe("2026-03-01");
    expect(nextOccurrence(once, "2026-03-01")).toBeNull();
    expect(lastOccurrence(once, "9999-12-31")).toBe("2026-03-01");
    expect(lastOccurrence(once, "2026-02-28")).toBeNull();
    expect(previousOccurrence(once, "2026-03-02")).toBe("2026-03-01");
    expect(previousOccurrence(once, "2026-03-01")).toBeNull();
  });

  it.each(FREQUENCIES)("end with the year 9999 (%s)", (frequency) => {
    expect(nextOccurrence({ anchor: "9999-12-31", frequency }, "9999-12-31")).toBeNull();
    expect(firstOccurrence({ anchor: "9999-12-31", frequency }, "9999-12-31")).toBe("9999-12-31");
    expect(lastOccurrence({ anchor: "9999-12-31", frequency }, "+010001-05-05")).toBe("9999-12-31");
    expect(firstOccurrence({ anchor: "2026-01-01", frequency }, "+010001-05-05")).toBeNull();
  });

  it("need not be within reach: one of eight thousand years later is found", () => {
    expect(firstOccurrence({ anchor: "0001-01-31", frequency: "monthly" }, "9999-02-01")).toBe("9999-02-28");
    expect(lastOccurrence({ anchor: "0001-01-01", frequency: "weekday" }, "9999-12-26")).toBe("9999-12-24");
  });

  it("are found from any date as by asking one day after the other", () => {
    fc.assert(
      fc.property(datesAndDate, ([of, from]) => {
        const start = Math.max(dayNumber(from), dayNumber(of.anchor));
        let day = start;
        // Dates are at most a year and a day apart.
        while (day < start + 367 && !isOccurrence(of, day)) day++;
        expect(firstOccurrence(of, from)).toBe(isOccurrence(of, day) ? dateOf(day) : null);
      }),
      { numRuns: 2000 },
    );
  });

  it("are found backwards from any date as by asking one day after the other", () => {
    fc.assert(
      fc.property(datesAndDate, ([of, to]) => {
        const start = of.frequency === null ? Math.min(dayNumber(to), dayNumber(of.anchor)) : dayNumber(to);
        let day = start;
        while (day > start - 367 && !isOccurrence(of, day)) day--;
        expect(lastOccurrence(of, to)).toBe(isOccurrence(of, day) ? dateOf(day) : null);
      }),
      { numRuns: 2000 },
    );
  });

  it("ascend, begin not before the anchor, and leave none out, also on the way back", () => {
    fc.assert(
      fc.property(datesAndDate, ([of, date]) => {
        const after = nextOccurrence(of, date);
        const before = previousOccurrence(of, date);
        if (after !== null) {
          expect(after > date && after >= of.anchor).toBe(true);
          expect(previousOccurrence(of, after)).toBe(lastOccurrence(of, date));
        }
        if (before !== null) {
          expect(before < date && before >= of.anchor).toBe(true);
          expect(nextOccurrence(of, before)).toBe(firstOccurrence(of, date));
        }
      }),
      { numRuns: 2000 },
    );
  });
});
