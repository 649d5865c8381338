import { firstTrigger, type StoredSchedule } from "../../base/schedules/stored-schedule.ts";
import type { TaskRow } from "../../model/resources/task-row.ts";
import type { OtherColumns } from "../rows/rows.ts";

const COLUMNS = {
  dueAt: "due_at",
  dueTime: "due_time",
  firstDueAt: "first_due_at",
  timeZone: "time_zone",
  recurrenceFrequency: "recurrence_frequency",
} as const satisfies Record<keyof StoredSchedule, string>;

/** The columns of a schedule. */
export function scheduleColumns(schedule: StoredSchedule): OtherColumns {
  return Object.fromEntries(
    Object.entries(COLUMNS).map(([name, column]) => [column, schedule[name as keyof StoredSchedule]]),
  );
}

/**
 * The columns that follow from changing some of a schedule; none when it is the same afterwards. Another date or
 * frequency makes the due date the first one again. docs/guides/tasks.md#repeating
 */
export function rescheduled(current: TaskRow, wanted: Partial<StoredSchedule>, now: Date): OtherColumns {
  const schedule: StoredSchedule = { ...scheduleOnly(current), ...wanted };
  const differs = (name: keyof StoredSchedule) => schedule[name] !== current[name];
  if (!Object.keys(COLUMNS).some((name) => differs(name as keyof StoredSchedule))) return {};
  if (differs("dueAt") || differs("recurrenceFrequency")) schedule.firstDueAt = schedule.dueAt;
  return { ...scheduleColumns(schedule), next_trigger_at: plannedTrigger({ ...current, ...schedule }, now) };
}

/**
 * Time of the next firing: null while the record is completed, and always for a record that was created as a task.
 * docs/guides/reminders.md#firing
 */
export function plannedTrigger(task: Pick<TaskRow, "madeAs" | "completedAt"> & StoredSchedule, now: Date): Date | null {
  return task.madeAs === "task" || task.completedAt !== null ? null : firstTrigger(task, now);
}

function scheduleOnly({ dueAt, dueTime, firstDueAt, timeZone, recurrenceFrequency }: TaskRow): StoredSchedule {
  return { dueAt, dueTime, firstDueAt, timeZone, recurrenceFrequency };
}
