import type { Uuid } from "../../base/values/ids.ts";
import { reminders } from "../../model/resources/reminders.ts";
import type { Row } from "../../model/resources/resource.ts";
import { type TaskRow, taskRow } from "../../model/resources/task-row.ts";
import { tasks } from "../../model/resources/tasks.ts";
import type { RowTelling } from "../rows/row-events.ts";

/**
 * Tasks in the log. Only records that were made as reminders have events, as reminders: a change that answers of
 * reminders do not show makes none. Rows come from either view. docs/guides/events.md#which-events-a-change-makes
 */
export const taskTelling: RowTelling = {
  table: "tasks",
  shown: tasks,
  asShown: (row) => ({ ...row, title: titleOf(row), description: row.description ?? null }),
  told: (row) => (taskRow(row).madeAs === "reminder" ? { resource: reminders, asTold: asReminder } : undefined),
  hidden: ["timeZone", "firstDueAt", "nextId"],
  readers: (row) => taskReaders(taskRow(row)),
  name: (row) => String(titleOf(row)),
};

function titleOf({ title, name }: Row): unknown {
  return title ?? name;
}

/** A row of either view, with the names that its columns have in a reminder. */
function asReminder(row: Row): Row {
  return { ...row, name: titleOf(row), visibility: row.isPublic };
}

/** The only users who see a private task: its creator and its assignees; undefined for a public one. */
export function taskReaders({
  isPublic,
  createdBy,
  assignedUserIds,
}: Pick<TaskRow, "isPublic" | "createdBy" | "assignedUserIds">): Uuid[] | undefined {
  return isPublic ? undefined : [createdBy, ...assignedUserIds];
}
