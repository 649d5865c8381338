import { describe, expect, it } from "@jest/globals";
import { firstTrigger, nextSchedule, ruleOf, type StoredSchedule } from "../../../base/schedules/stored-schedule.ts";

const stored = (more: Partial<StoredSchedule>): StoredSchedule => ({
  dueAt: "2026-01-05",
  dueTime: "09:00:00",
  firstDueAt: more.dueAt ?? "2026-01-05",
  timeZone: "UTC",
  recurrenceFrequency: "weekly",
  ...more,
});
const at = (text: string) => new Date(text);

// docs/guides/tasks.md#tasks-and-reminders
describe("The schedule of a record", () => {
  it("is told as a rule that begins on its due date, at 09:00 without a time", () => {
    expect(ruleOf(stored({ timeZone: "Europe/Berlin", dueTime: "17:30:15" }))).toBe(
      "DTSTART;TZID=Europe/Berlin:20260105T173015\nRRULE:FREQ=WEEKLY;INTERVAL=1",
    );
    const follower = { dueAt: "2026-02-28", firstDueAt: "2026-01-31", recurrenceFrequency: "monthly" } as const;
    expect(ruleOf(stored({ ...follower, dueTime: null }))).toBe(
      "DTSTART;TZID=UTC:20260228T090000\nRRULE:FREQ=MONTHLY;INTERVAL=1",
    );
  });

  it("fires first on its due date, though its dates are counted from an earlier one", () => {
    const follower = stored({ dueAt: "2026-01-19", firstDueAt: "2026-01-05" });
    for (const now of ["2026-01-01T00:00:00Z", "2026-01-12T08:00:00Z", "2026-01-19T08:59:59.999Z"])
      expect(firstTrigger(follower, at(now))).toEqual(at("2026-01-19T09:00:00Z"));
    expect(firstTrigger(follower, at("2026-01-19T09:00:00Z"))).toEqual(at("2026-01-26T09:00:00Z"));
    const lastOfMonth = { dueAt: "2026-02-28", firstDueAt: "2026-01-31", recurrenceFrequency: "monthly" } as const;
    expect(firstTrigger(stored(lastOfMonth), at("2026-03-01T00:00:00Z"))).toEqual(at("2026-03-31T09:00:00Z"));
  });

  it("of weekdays from a Saturday on fires first on Monday", () => {
    const saturday = stored({ dueAt: "2026-01-10", recurrenceFrequency: "weekday" });
    expect(firstTrigger(saturday, at("2026-01-01T00:00:00Z"))).toEqual(at("2026-01-12T09:00:00Z"));
  });

  it("never fires when it is once, and past", () => {
    const once = stored({ recurrenceFrequency: null });
    expect(firstTrigger(once, at("2026-01-05T08:59:59.999Z"))).toEqual(at("2026-01-05T09:00:00Z"));
    expect(firstTrigger(once, at("2026-01-05T09:00:00Z"))).toBeNull();
  });

  it("of the next one differs in its due date alone", () => {
    const monthly = stored({ dueAt: "2026-02-28", firstDueAt: "2026-01-31", recurrenceFrequency: "monthly" });
    expect(nextSchedule(monthly, at("2026-02-01T00:00:00Z"))).toEqual({ ...monthly, dueAt: "2026-03-31" });
    expect(nextSchedule(monthly, at("2026-07-01T00:00:00Z"))).toEqual({ ...monthly, dueAt: "2026-07-31" });
    expect(nextSchedule(stored({ recurrenceFrequency: null }), at("2026-02-01T00:00:00Z"))).toBeNull();
    expect(nextSchedule(stored({ dueAt: "9999-12-31" }), at("2026-02-01T00:00:00Z"))).toBeNull();
  });
});
