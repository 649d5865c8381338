import { dateIn } from "./instants.ts";
import { nextOccurrence } from "./occurrences.ts";
import type { Schedule } from "./schedule.ts";

/**
 * The due date of the task that follows a completed one: the first date of the schedule after the due date of the completed
 * task (YYYY-MM-DD) and after the day that it is now in the zone. Null when the task does not repeat, or not before the
 * year 10000.
 */
export function nextDue(schedule: Schedule, due: string, now: Date): string | null {
  if (schedule.frequency === null) return null;
  const today = dateIn(schedule.zone, now);
  return nextOccurrence(schedule, due > today ? due : today);
}
