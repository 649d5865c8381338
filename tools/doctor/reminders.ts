import { firstTrigger, type StoredSchedule } from "../../base/schedules/stored-schedule.ts";
import { zoneSpelling } from "../../base/schedules/zones.ts";
import { toId, type Uuid } from "../../base/values/ids.ts";
import { pagesOf } from "../../database/pages.ts";
import type { Query } from "../../database/query.ts";

interface Reminder extends StoredSchedule {
  workspaceId: Uuid;
  uuid: Uuid;
  nextTriggerAt: Date | null;
}

/**
 * Whether every reminder is planned for a time of its rule, and nothing else is planned. A time that has come and has not fired is
 * sound: the server may have been down. docs/guides/reminders.md#firing
 */
export async function examineReminders(query: Query) {
  const [silent] = await query<{ uuid: Uuid }>(SILENT, []);
  if (silent)
    return {
      ok: false,
      message: `The record ${toId("task", silent.uuid)} is completed, or was made as a task, and is planned to fire: set its next_trigger_at to null`,
    };
  const now = new Date();
  let count = 0;
  for await (const reminders of pagesOf<Reminder>(query, REMINDERS, [])) {
    for (const reminder of reminders) {
      const fault = faultOf(reminder, now);
      if (fault !== null) return { ok: false, message: `The reminder ${toId("reminder", reminder.uuid)} ${fault}` };
    }
    count += reminders.length;
  }
  return { ok: true, message: `${count} reminders fire by their rules` };
}

const SILENT = `
select id as uuid from tasks where next_trigger_at is not null and (made_as = 'task' or completed_at is not null) limit 1`;

function faultOf(reminder: Reminder, now: Date): string | null {
  const { timeZone, nextTriggerAt } = reminder;
  if (zoneSpelling(timeZone) === null)
    return `does not fire: this runtime knows no time zone "${timeZone}". Run one with newer data, or give it a rule with another zone`;
  const after = nextTriggerAt === null ? now : new Date(nextTriggerAt.getTime() - 1);
  const wanted = firstTrigger(reminder, after);
  if (wanted?.getTime() === nextTriggerAt?.getTime()) return null;
  return `is planned for ${shown(nextTriggerAt)}, and fires by its rule on ${shown(wanted)}: change its rule, and change it back`;
}

function shown(instant: Date | null): string {
  return instant === null ? "no time" : instant.toISOString();
}

/** All reminders that may fire. */
const REMINDERS = `
select workspace_id as "workspaceId", id as uuid, due_at::text as "dueAt", due_time::text as "dueTime",
  first_due_at::text as "firstDueAt", time_zone as "timeZone", recurrence_frequency as "recurrenceFrequency",
  next_trigger_at as "nextTriggerAt"
from tasks where made_as = 'reminder' and completed_at is null`;
