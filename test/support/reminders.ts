import { firstTrigger, type StoredSchedule } from "../../base/schedules/stored-schedule.ts";
import { madeAt, newUuid, type Uuid } from "../../base/values/ids.ts";
import type { Database } from "../../database/database.ts";

/** What reminders have beside what all of them have here: once, on 2 March 2026 at 09:00 in UTC. */
export interface Reminders extends Partial<StoredSchedule> {
  completedAt?: Date;
  /** When it fires next; by its schedule unless told otherwise. */
  planned?: Date | null;
  count?: number;
}

/** Puts reminders of nobody into the database, planned as of a moment that need not be now. Gives their uuids. */
export async function insertReminders(
  database: Database,
  workspaceId: Uuid,
  madeOn: Date,
  { count = 1, completedAt, planned, ...more }: Reminders = {},
): Promise<Uuid[]> {
  const schedule: StoredSchedule = {
    dueAt: "2026-03-02",
    dueTime: "09:00:00",
    firstDueAt: more.dueAt ?? "2026-03-02",
    timeZone: "UTC",
    recurrenceFrequency: null,
    ...more,
  };
  const next = planned === undefined ? firstTrigger(schedule, madeOn) : planned;
  const uuids = Array.from({ length: count }, newUuid);
  const rows = uuids.map((id) => ({
    workspace_id: workspaceId,
    id,
    created_at: madeAt(id),
    created_by: newUuid(),
    entity_kind: "person",
    entity_id: newUuid(),
    made_as: "reminder",
    title: "Call",
    due_at: schedule.dueAt,
    due_time: schedule.dueTime,
    time_zone: schedule.timeZone,
    recurrence_frequency: schedule.recurrenceFrequency,
    first_due_at: schedule.firstDueAt,
    completed_at: completedAt,
    is_public: true,
    assigned_user_ids: [],
    next_trigger_at: next,
    version: 1,
  }));
  await database.read("insert into tasks select * from json_populate_recordset(null::tasks, $1::json)", [
    JSON.stringify(rows),
  ]);
  return uuids;
}
