import { type Database, run } from "../../../lib/database/database.ts";
import type { Query } from "../../../lib/database/query.ts";
import { firingOf } from "../../../lib/schedules/next-trigger.ts";
import { type StoredSchedule, scheduleOf } from "../../../lib/schedules/stored-schedule.ts";
import { zoneSpelling } from "../../../lib/schedules/zones.ts";
import { newUuid, type Uuid } from "../../../lib/values/ids.ts";

/**
 * How many reminders fire in one transaction. It plans their next times in 20 to 40 ms, and serves nobody else meanwhile; with
 * twice as many a minute that a thousand of them are due takes no less.
 */
export const FIRED_AT_ONCE = 200;

/** A reminder whose time has come, locked. */
interface Due extends StoredSchedule {
  workspaceId: Uuid;
  uuid: Uuid;
  /** When it was planned to fire. */
  plannedAt: Date;
}

export interface Firing {
  /**
   * Fires reminders whose time has come, those of all workspaces, the longest due first, and gives how many: at most
   * `FIRED_AT_ONCE`, in one transaction of two statements. Without any it is one statement. Several processes may do so at once:
   * each takes what no other has taken. docs/guides/reminders.md#firing
   */
  fireDue(now: Date): Promise<number>;
}

/**
 * What a process needs to fire reminders. A reminder in a zone that its runtime does not know is left to other processes, and to
 * the next release of the runtime; the others are not held up by it.
 * @param onUnknownZone is told of such a zone, once
 */
export function createFiring(
  database: Pick<Database, "read" | "transaction">,
  onUnknownZone: (zone: string, reminder: Uuid) => void,
): Firing {
  const unknownZones = new Set<string>();

  function isKnown({ timeZone, uuid }: Due): boolean {
    if (zoneSpelling(timeZone) !== null) return true;
    if (!unknownZones.has(timeZone)) onUnknownZone(timeZone, uuid);
    unknownZones.add(timeZone);
    return false;
  }

  async function fireDue(now: Date): Promise<number> {
    const [first] = await database.read(LOOK, [now, [...unknownZones]]);
    if (!first) return 0;
    return database.transaction(async (trx) => {
      const query: Query = (sql, values, form) => run(trx, sql, values, form);
      const due = await query<Due>(CLAIM, [now, [...unknownZones]]);
      const fired = due.filter(isKnown).flatMap((one) => rowOf(one, now));
      if (fired.length > 0) await query(FIRE, [now, JSON.stringify(fired)]);
      return due.length;
    });
  }

  return { fireDue };
}

/** Most times nothing is due, which every process asks each second. */
const LOOK = "/* background */ select from tasks where next_trigger_at <= $1 and time_zone <> all($2::text[]) limit 1";

/** A row that is being changed is fired, or not, by what it is afterwards. */
const CLAIM = `
select workspace_id as "workspaceId", id as uuid, next_trigger_at as "plannedAt", due_at as "dueAt", due_time as "dueTime",
  first_due_at as "firstDueAt", time_zone as "timeZone", recurrence_frequency as "recurrenceFrequency"
from tasks where next_trigger_at <= $1 and time_zone <> all($2::text[])
order by next_trigger_at limit ${FIRED_AT_ONCE} for no key update skip locked`;

/**
 * What is there already has fired: a process whose clock is behind has planned it anew meanwhile, because somebody changed its
 * rule.
 */
const FIRE = `
with fired as (
  select * from json_to_recordset($2::json)
    as f (workspace_id uuid, id uuid, trigger_id uuid, triggered_at timestamptz, next_at timestamptz)
), told as (
  insert into reminder_triggers (workspace_id, id, reminder_id, triggered_at, fired_at)
  select workspace_id, trigger_id, id, triggered_at, $1::timestamptz from fired
  on conflict (workspace_id, reminder_id, triggered_at) do nothing
)
update tasks t set last_trigger_at = f.triggered_at, next_trigger_at = f.next_at
from fired f where t.workspace_id = f.workspace_id and t.id = f.id`;

/** What firing makes of a reminder, as a row of `fired`. */
function rowOf(due: Due, now: Date): object[] {
  const firing = firingOf(scheduleOf(due), due.plannedAt, now);
  if (!firing) return [];
  return [
    {
      workspace_id: due.workspaceId,
      id: due.uuid,
      trigger_id: newUuid(),
      triggered_at: firing.lastTriggerTime,
      next_at: firing.nextTriggerTime,
    },
  ];
}
