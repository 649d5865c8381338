import type { StoredSchedule } from "../../base/schedules/stored-schedule.ts";
import type { RecordKind, Uuid } from "../../base/values/ids.ts";
import { seesEntity } from "./entity.ts";
import type { ResourceAccess, Row } from "./resource.ts";

/** Columns of every row of the table, for both views. */
export interface TaskRow extends StoredSchedule {
  uuid: Uuid;
  entityKind: RecordKind;
  entityId: Uuid;
  madeAs: "task" | "reminder";
  completedAt: Date | null;
  nextId: Uuid | null;
  isPublic: boolean;
  assignedUserIds: Uuid[];
  createdBy: Uuid;
  version: number;
}

/** Columns that both views read, whether they show them or not. */
export const TASK_COLUMNS = {
  createdBy: "created_by",
  madeAs: "made_as",
  dueAt: "due_at",
  dueTime: "due_time",
  firstDueAt: "first_due_at",
  timeZone: "time_zone",
  recurrenceFrequency: "recurrence_frequency",
  completedAt: "completed_at",
  nextId: "next_id",
  isPublic: "is_public",
  nextTriggerTime: "next_trigger_at",
  lastTriggerTime: "last_trigger_at",
  version: "version",
};

/** A row of either view: `TASK_COLUMNS` and the columns of the fields of both. */
export function taskRow(row: Row): TaskRow {
  return row as unknown as TaskRow;
}

/** Private ones are seen by their assignees and their creator alone. docs/guides/tasks.md#who-sees-what */
export const seesTask: ResourceAccess["sees"] = ({ definitions, caller }, bind) => {
  const user = bind(caller.userId);
  return `(t.is_public or t.created_by = ${user} or ${user} = any(t.assigned_user_ids)) and ${seesEntity(definitions, caller, bind)}`;
};
