import type { Issue } from "../../base/contract/issues.ts";
import type { StoredSchedule } from "../../base/schedules/stored-schedule.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { RequestBody } from "../../model/fields/field.ts";
import { taskRow } from "../../model/resources/task-row.ts";
import { tasks } from "../../model/resources/tasks.ts";
import type { WriteContext } from "../records/draft.ts";
import type { About } from "../rows/about.ts";
import type { OtherColumns } from "../rows/rows.ts";
import { assigneesOf, isSameList } from "./assignees.ts";
import { changes } from "./row-changes.ts";
import { rescheduled, scheduleColumns } from "./task-schedule.ts";

/** The columns that a write of a task sets beside those of its fields. docs/guides/tasks.md#tasks-and-reminders */
export function judgeTask(
  writing: WriteContext,
  sent: RequestBody,
  { entity, current }: About,
  issues: Issue[],
): OtherColumns {
  const now = new Date();
  const assigned = assigneesOf(writing.definitions, sent.assignedUsers, issues);
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
function firstSchedule(sent: RequestBody): StoredSchedule {
  const { dueAt = "", dueTime = null, recurrenceFrequency = null } = scheduleIn(sent);
  return { dueAt, dueTime, recurrenceFrequency, firstDueAt: dueAt, timeZone: "UTC" };
}

function scheduleIn(sent: RequestBody): Partial<StoredSchedule> {
  // The schema of the body has judged these.
  const { dueAt, dueTime, recurrenceFrequency } = sent as Partial<StoredSchedule>;
  return {
    ...(dueAt !== undefined && { dueAt }),
    ...(dueTime !== undefined && { dueTime: dueTime === null ? null : `${dueTime}:00` }),
    ...(recurrenceFrequency !== undefined && { recurrenceFrequency }),
  };
}
