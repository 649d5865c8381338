import type { Issue } from "../../../base/contract/issues.ts";
import type { StoredSchedule } from "../../../base/schedules/stored-schedule.ts";
import { printUuids } from "../../../database/uuid-list.ts";
import type { Writing } from "../../../engine/records/draft.ts";
import type { OtherColumns } from "../../../engine/rows/rows.ts";
import type { About } from "../../../mixins/resource-actions.ts";
import type { Sent } from "../../../model/fields/field.ts";
import { taskRow } from "../../../model/resources/task-row.ts";
import { tasks } from "../../../model/resources/tasks.ts";
import { assigneesOf, isSameList } from "./assignees.ts";
import { changes } from "./changes.ts";
import { rescheduled, scheduleColumns } from "./task-schedule.ts";

/** The columns that a write of a task sets beside those of its fields. docs/guides/tasks.md#tasks-and-reminders */
export function judgeTask(writing: Writing, sent: Sent, { entity, current }: About, issues: Issue[]): OtherColumns {
  const now = new Date();
  const assigned = assigneesOf(writing.catalog, sent.assignedUsers, issues);
  if (current === null)
    return {
      made_as: "task",
      ...scheduleColumns(firstSchedule(sent)),
      assigned_user_ids: printUuids(assigned ?? [writing.caller.userId]),
    };
  const task = taskRow(current);
  const others: OtherColumns = {
    ...rescheduled(task, scheduleIn(sent), now),
    ...(assigned && !isSameList(assigned, task.assignedUserIds) && { assigned_user_ids: printUuids(assigned) }),
  };
  const isMoved = entity !== undefined && entity.uuid !== task.entityId;
  return isMoved || changes(tasks, current, sent, others) ? { ...others, updated_at: now } : others;
}

/** A record that is made as a task has the zone UTC. */
function firstSchedule(sent: Sent): StoredSchedule {
  const { dueAt = "", dueTime = null, recurrenceFrequency = null } = scheduleIn(sent);
  return { dueAt, dueTime, recurrenceFrequency, firstDueAt: dueAt, timeZone: "UTC" };
}

/** Schedule in a body, as it is stored. */
function scheduleIn(sent: Sent): Partial<StoredSchedule> {
  // The schema of the body has judged these.
  const { dueAt, dueTime, recurrenceFrequency } = sent as Partial<StoredSchedule>;
  return {
    ...(dueAt !== undefined && { dueAt }),
    ...(dueTime !== undefined && { dueTime: dueTime === null ? null : `${dueTime}:00` }),
    ...(recurrenceFrequency !== undefined && { recurrenceFrequency }),
  };
}
