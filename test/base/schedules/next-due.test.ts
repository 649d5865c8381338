import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Schedule } from "../../../base/schedules/schedule.ts";
import { nextDue } from "../../../base/schedules/stored-schedule.ts";
import { dateOf, dayNumber, FREQUENCIES, isOccurrence } from "./slow-calendar.ts";

const monthly: Schedule = { anchor: "2026-01-31", time: "09:00:00", zone: "Europe/Paris", frequency: "monthly" };

describe("the due date after that of a completed task", () => {
  it.each<[string, Schedule, string, string, string | null]>([
    ["is the next one when the task is done early", monthly, "2026-03-31", "2026-03-02T10:00:00Z", "2026-04-30"],
    ["is the next one when the task is done in time", monthly, "2026-02-28", "2026-02-28T10:00:00Z", "2026-03-31"],
    ["leaves out those before today when it is done late", monthly, "2026-01-31", "2026-06-15T10:00:00Z", "2026-06-30"],
    ["is not today, even when today is one", monthly, "2026-01-31", "2026-06-30T05:00:00Z", "2026-07-31"],
    [
      "comes after a due date that was moved off the dates of the schedule",
      monthly,
      "2026-03-15",
      "2026-03-02T10:00:00Z",
      "2026-03-31",
    ],
    [
      "goes by today in Kathmandu, where the next day has begun",
      { ...monthly, zone: "Asia/Kathmandu", frequency: "weekday" },
      "2026-03-02",
      "2026-03-03T18:15:00Z",
      "2026-03-05",
    ],
    [
      "goes by today in New York, where it is the day before still",
      { ...monthly, zone: "America/New_York", frequency: "weekday" },
      "2026-03-02",
      "2026-03-05T04:59:59Z",
      "2026-03-05",
    ],
    [
      "is a Monday after a Friday",
      { ...monthly, zone: "UTC", frequency: "weekday" },
      "2026-03-06",
      "2026-03-06T10:00:00Z",
      "2026-03-09",
    ],
    [
      "is none when the task does not repeat",
      { ...monthly, frequency: null },
      "2026-01-31",
      "2026-01-01T00:00:00Z",
      null,
    ],
    [
      "is none when a task that does not repeat is due before its anchor",
      { ...monthly, frequency: null },
      "2026-01-15",
      "2026-01-01T00:00:00Z",
      null,
    ],
    ["is none beyond the year 9999", { ...monthly, anchor: "9999-12-31" }, "9999-12-31", "2026-01-01T00:00:00Z", null],
  ])("%s", (_, schedule, due, now, expected) => {
    expect(nextDue(schedule, due, new Date(now))).toBe(expected);
  });

  it("is the first day of the schedule behind both, found by asking one after the other", () => {
    const day = fc.integer({ min: dayNumber("2024-01-01"), max: dayNumber("2030-01-01") });
    fc.assert(
      fc.property(day, fc.constantFrom(...FREQUENCIES), day, day, (anchorDay, frequency, dueDay, today) => {
        const schedule = { ...monthly, zone: "UTC", anchor: dateOf(anchorDay), frequency };
        const due = Math.max(anchorDay, dueDay);
        let next = Math.max(due, today) + 1;
        while (frequency !== null && !isOccurrence(schedule, next)) next++;
        const now = new Date(`${dateOf(today)}T12:00:00Z`);
        expect(nextDue(schedule, dateOf(due), now)).toBe(frequency === null ? null : dateOf(next));
      }),
    );
  });
});
