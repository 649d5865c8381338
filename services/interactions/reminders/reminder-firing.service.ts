import { setTimeout as pause } from "node:timers/promises";
import type { ServiceSchema } from "moleculer";
import { startPolling } from "../../../base/jobs/polling.ts";
import { firingOf } from "../../../base/schedules/next-trigger.ts";
import { type StoredSchedule, scheduleOf } from "../../../base/schedules/stored-schedule.ts";
import { zoneSpelling } from "../../../base/schedules/zones.ts";
import { toId, type Uuid } from "../../../base/values/ids.ts";
import { byWorkspace } from "../../../database/by-workspace.ts";
import { lookIntervals } from "../../../database/citus/looks.ts";
import { type Database, run } from "../../../database/database.ts";
import type { Query } from "../../../database/query.ts";
import { appendToLog } from "../../../engine/events/append.ts";
import { logAppended } from "../../../engine/events/appended.ts";
import { taskReaders } from "../../../engine/things/task-telling.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { pollingMixin } from "../../../mixins/polling.mixin.ts";
import type { LogEntry } from "../../../model/log.ts";

/**
 * Number of reminders that fire in one transaction. It plans their next times in 20 to 40 ms, and serves no request
 * meanwhile; with twice as many a minute that a thousand of them are due takes no less.
 */
export const FIRED_AT_ONCE = 200;

/** A reminder whose time has come, locked. */
interface Due extends StoredSchedule {
  workspaceId: Uuid;
  uuid: Uuid;
  plannedAt: Date;
  /** The planned instant of the last time that it fired; null when it never did. */
  lastTriggerAt: Date | null;
  isPublic: boolean;
  createdBy: Uuid;
  assignedUserIds: Uuid[];
  /** The group of the object that it is about; null for people and companies. */
  home: Uuid | null;
}

/** A reminder that fires: when it was to, and when it will next; null for never. */
interface Fired {
  due: Due;
  lastTriggerTime: Date;
  nextTriggerTime: Date | null;
}

interface Firing {
  /**
   * Fires reminders whose time has come, those of all workspaces, the longest due first, and gives how many it has
   * taken: at most `FIRED_AT_ONCE`, and whether there may be more. Those of a workspace are one transaction of three
   * statements. Without any it is one statement. Several processes may do so at once: each takes what no other has
   * taken. docs/guides/reminders.md#firing
   */
  fireDue(now: Date): Promise<{ fired: number; hasMore: boolean }>;
}

/**
 * Dependencies of a process that fires reminders. A reminder in a zone that its runtime does not know is left to other
 * processes, and to the next release of the runtime; the others are not held up by it.
 * @param onUnknownZone called once for such a zone
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

  async function fireDue(now: Date): Promise<{ fired: number; hasMore: boolean }> {
    const found = await database.read<Pick<Due, "workspaceId">>(LOOK, [now, [...unknownZones]]);
    const workspaces = await byWorkspace(found, async (workspaceId, { length }) => [
      { workspaceId, ...(await fireIn(workspaceId, length, now)) },
    ]);
    for (const { workspaceId, isTold } of workspaces) if (isTold) logAppended(database, workspaceId);
    const fired = workspaces.reduce((sum, { taken }) => sum + taken, 0);
    // A process leaves to the others what they have taken.
    return { fired, hasMore: fired > 0 && found.length === FIRED_AT_ONCE };
  }

  /** Fires at most `count` reminders of a workspace. It leaves out those that another transaction changes. */
  function fireIn(workspaceId: Uuid, count: number, now: Date): Promise<{ taken: number; isTold: boolean }> {
    return database.transaction(async (trx) => {
      const query: Query = (sql, values, form) => run(trx, sql, values, form);
      const due = await query<Due>(CLAIM, [workspaceId, now, [...unknownZones], count]);
      const fired = due.filter(isKnown).flatMap((one) => fire(one, now));
      if (fired.length > 0) await query(FIRE, [workspaceId, JSON.stringify(fired.map(rowOf))]);
      const told = fired.filter(isFirstTime);
      await appendToLog(query, { workspaceId }, told.map(entryOf));
      return { taken: due.length, isTold: told.length > 0 };
    });
  }

  return { fireDue };
}

/** Most times nothing is due, which every process asks each second. */
const LOOK = `/* background */
select workspace_id as "workspaceId" from tasks where next_trigger_at <= $1 and time_zone <> all($2::text[])
order by next_trigger_at limit ${FIRED_AT_ONCE}`;

/** A row that is being changed fires, or does not, according to its new state. */
const CLAIM = `
select workspace_id as "workspaceId", id as uuid, next_trigger_at as "plannedAt", due_at as "dueAt", due_time as "dueTime",
  first_due_at as "firstDueAt", time_zone as "timeZone", recurrence_frequency as "recurrenceFrequency",
  last_trigger_at as "lastTriggerAt", is_public as "isPublic", created_by as "createdBy", assigned_user_ids as "assignedUserIds",
  case entity_kind when 'object' then (select group_id from object_groups o where o.workspace_id = $1 and o.object_id = entity_id) end as home
from tasks where workspace_id = $1 and next_trigger_at <= $2 and time_zone <> all($3::text[])
order by next_trigger_at limit $4 for no key update skip locked`;

const FIRE = `
update tasks t set last_trigger_at = f.triggered_at, next_trigger_at = f.next_at
from json_to_recordset($2::json) as f (id uuid, triggered_at timestamptz, next_at timestamptz)
where t.workspace_id = $1 and t.id = f.id`;

function fire(due: Due, now: Date): Fired[] {
  const firing = firingOf(scheduleOf(due), due.plannedAt, now);
  return firing ? [{ due, ...firing }] : [];
}

/** Row for `FIRE` that a firing makes of a reminder. */
function rowOf({ due, lastTriggerTime, nextTriggerTime }: Fired): object {
  return { id: due.uuid, triggered_at: lastTriggerTime, next_at: nextTriggerTime };
}

/**
 * True if a reminder has not fired for this instant yet. It may have: a process with a slow clock can plan it again
 * after a user has changed its rule.
 */
function isFirstTime({ due: { lastTriggerAt }, lastTriggerTime }: Fired): boolean {
  return lastTriggerAt === null || lastTriggerAt < lastTriggerTime;
}

/** docs/guides/reminders.md#firing */
function entryOf({ due, lastTriggerTime, nextTriggerTime }: Fired): LogEntry {
  const users = taskReaders(due);
  return {
    type: "reminder.triggered",
    recordId: due.uuid,
    body: {
      ...(due.home && { home: due.home }),
      ...(users && { users }),
      details: {
        lastTriggeredTime: lastTriggerTime.toISOString(),
        nextTriggeredTime: nextTriggerTime?.toISOString() ?? null,
      },
    },
  };
}

/** Longest wait of a due reminder, when there are not thousands before it. docs/guides/reminders.md#firing */
const FIRE_EVERY_MS = 1_000;

/** Fires reminders. Each process of the folder does so; they share the work. docs/guides/reminders.md#firing */
export default function reminderFiringService({ database }: ServiceContext): ServiceSchema {
  return {
    name: "reminder-firing",
    mixins: [
      pollingMixin({
        start: (logger) => {
          const firing = createFiring(database, (zone, reminder) =>
            logger.warn(
              `The reminder ${toId("reminder", reminder)} does not fire: this runtime knows no time zone "${zone}"`,
            ),
          );
          return startPolling({
            ...lookIntervals(database, FIRE_EVERY_MS),
            async work(signal) {
              const begun = performance.now();
              const { hasMore } = await firing.fireDue(new Date());
              // Thousands of due reminders must not hold up waiting requests.
              if (hasMore) await pause(2 * (performance.now() - begun), undefined, { signal }).catch(() => undefined);
              return hasMore;
            },
            onFailure: ({ message }) => logger.warn("Reminders were not fired:", message),
          });
        },
      }),
    ],
  };
}
