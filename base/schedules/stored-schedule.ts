import { dateIn, instantOf } from "./instants.ts";
import { nextTrigger } from "./next-trigger.ts";
import { nextOccurrence } from "./occurrences.ts";
import { writeRule } from "./rule.ts";
import type { Frequency, Schedule } from "./schedule.ts";

/**
 * When a reminder fires whose record has no time: a task that was made without one, or whose time was cleared.
 * docs/guides/tasks.md#tasks-and-reminders
 */
const TIME_UNSET = "09:00:00";

/** The schedule of a task or a reminder as its row keeps it. */
export interface StoredSchedule {
  /** The date on which it is due, YYYY-MM-DD: the one in its DTSTART. */
  dueAt: string;
  /** HH:mm:ss. */
  dueTime: string | null;
  /**
   * The date from which all later ones are counted. It is an earlier one than `dueAt` in a task that follows a
   * completed one.
   */
  firstDueAt: string;
  timeZone: string;
  recurrenceFrequency: Frequency | null;
}

/** A row as the schedule by which its dates are counted. */
export function scheduleOf({ dueTime, firstDueAt, timeZone, recurrenceFrequency }: StoredSchedule): Schedule {
  return { anchor: firstDueAt, time: dueTime ?? TIME_UNSET, zone: timeZone, frequency: recurrenceFrequency };
}

/** The `recurrenceRule` of a row, which begins on the date on which it is due. */
export function ruleOf(stored: StoredSchedule): string {
  return writeRule({ ...scheduleOf(stored), anchor: stored.dueAt });
}

/**
 * When a reminder fires first after an instant, and not before it is due. Null when it never does. Throws a RangeError
 * for a zone that the runtime does not know.
 */
export function firstTrigger(stored: StoredSchedule, after: Date): Date | null {
  const schedule = scheduleOf(stored);
  const due = instantOf(stored.dueAt, schedule.time, schedule.zone);
  return nextTrigger(schedule, due > after ? new Date(due.getTime() - 1) : after);
}

/** The schedule of the task that follows a completed one; null when there is none. */
export function nextSchedule(stored: StoredSchedule, now: Date): StoredSchedule | null {
  const dueAt = nextDue(scheduleOf(stored), stored.dueAt, now);
  return dueAt === null ? null : { ...stored, dueAt };
}

/**
 * The due date of the task that follows a completed one: the first date of the schedule after the due date of the
 * completed task (YYYY-MM-DD) and after the day that it is now in the zone. Null when the task does not repeat, or not
 * before the year 10000.
 */
export function nextDue(schedule: Schedule, due: string, now: Date): string | null {
  if (schedule.frequency === null) return null;
  const today = dateIn(schedule.zone, now);
  return nextOccurrence(schedule, due > today ? due : today);
}
