import type { Uuid } from "../../../base/values/ids.ts";
import type { WriteContext } from "../../../engine/records/draft.ts";
import { type RowChange, tellOfRow } from "../../../engine/rows/row-events.ts";
import { reminders } from "../../../model/resources/reminders.ts";
import type { Row } from "../../../model/resources/resource.ts";
import { type TaskRow, taskRow } from "../../../model/resources/task-row.ts";

/**
 * Makes the events of a write through the view of tasks. Only records that were made as reminders have events, as
 * reminders: a change that answers of reminders do not show makes none.
 * docs/guides/events.md#which-events-a-change-makes
 */
export function tellOfTask(writing: WriteContext, { before, after }: RowChange): Promise<void> {
  return tellOfReminder(writing, { before: before && asReminder(before), after: after && asReminder(after) });
}

/** Tells of a write through the view of reminders, of a record that was made as one. */
export async function tellOfReminder(writing: WriteContext, change: RowChange): Promise<void> {
  const row = change.after ?? change.before;
  if (row && taskRow(row).madeAs === "reminder") await tellOfRow(writing, reminders, change, readersOf);
}

/** A row that was read as a task, with the names that its columns have in a reminder. */
function asReminder(row: Row): Row {
  return { ...row, name: row.title, visibility: row.isPublic };
}

function readersOf(row: Row): Uuid[] | undefined {
  return reminderReaders(taskRow(row));
}

/** The only users who see a private reminder: its creator and those whom it reminds; undefined for a public one. */
export function reminderReaders({
  isPublic,
  createdBy,
  assignedUserIds,
}: Pick<TaskRow, "isPublic" | "createdBy" | "assignedUserIds">): Uuid[] | undefined {
  return isPublic ? undefined : [createdBy, ...assignedUserIds];
}
