import type { About } from "../../../actions/resource-actions.ts";
import type { Issue } from "../../../lib/contract/issues.ts";
import { printUuids } from "../../../lib/database/uuid-list.ts";
import type { Sent } from "../../../lib/fields/field.ts";
import type { Writing } from "../../../lib/records/draft.ts";
import type { OtherColumns } from "../../../lib/resources/rows.ts";
import { readRule, writeRule } from "../../../lib/schedules/rule.ts";
import { ruleOf, type StoredSchedule } from "../../../lib/schedules/stored-schedule.ts";
import { assigneesOf, isSameList } from "../tasks/assigned-users.ts";
import { type TaskRow, taskRow } from "../tasks/task-row.ts";
import { plannedTrigger, rescheduled, scheduleColumns } from "../tasks/task-schedule.ts";
import { changes } from "../tasks/updated-at.ts";
import { assigneesAfter } from "./reminders.assignees.ts";
import { reminders } from "./reminders.resource.ts";

/** What the schema of the body has judged. */
interface Body {
  recurrenceRule?: string;
  visibility?: "public" | "private";
}

/** The columns that a write of a reminder sets beside those of its fields. docs/guides/tasks.md#tasks-and-reminders */
export function judgeReminder(writing: Writing, sent: Sent, { current }: About, issues: Issue[]): OtherColumns {
  const now = new Date();
  const { recurrenceRule, visibility } = sent as Body;
  const { catalog, caller } = writing;
  const task = current && taskRow(current);
  const named = { visibility, assigned: assigneesOf(catalog, sent.assignedUsers, issues) };
  const assigned =
    issues.length > 0 ? undefined : assigneesAfter(named, task, { userId: caller.userId, catalog }, issues);
  const schedule = recurrenceRule === undefined ? undefined : scheduleIn(recurrenceRule, task);
  if (current === null || task === null) {
    if (!schedule) throw new Error("The schema of a reminder has let through a body without a rule");
    return {
      made_as: "reminder",
      ...scheduleColumns(schedule),
      next_trigger_at: plannedTrigger({ ...schedule, madeAs: "reminder", completedAt: null }, now),
      assigned_user_ids: printUuids(assigned ?? []),
    };
  }
  const others: OtherColumns = {
    ...(schedule && rescheduled(task, schedule, now)),
    ...(assigned && !isSameList(assigned, task.assignedUserIds) && { assigned_user_ids: printUuids(assigned) }),
  };
  return changes(reminders, current, sent, others) ? { ...others, updated_at: now } : others;
}

/** What a rule says; undefined when it is the one that the reminder has, of which a part may be unset. */
function scheduleIn(rule: string, current: TaskRow | null): StoredSchedule | undefined {
  const read = readRule(rule);
  if ("problem" in read) throw new Error(`The schema of a reminder has let through the rule ${JSON.stringify(rule)}`);
  const { schedule } = read;
  if (current && writeRule(schedule) === ruleOf(current)) return undefined;
  const { anchor, time, zone, frequency } = schedule;
  return {
    dueAt: anchor,
    dueTime: time,
    firstDueAt: anchor,
    timeZone: zone,
    recurrenceFrequency: frequency,
  };
}
