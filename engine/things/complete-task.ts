import type { Answered } from "../../base/contract/answer.ts";
import { nextSchedule } from "../../base/schedules/stored-schedule.ts";
import { madeAt, newUuid, toId, type Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import type { Row } from "../../model/resources/resource.ts";
import { type TaskRow, taskRow } from "../../model/resources/task-row.ts";
import { tasks } from "../../model/resources/tasks.ts";
import type { WriteContext } from "../records/draft.ts";
import { lockEntity } from "../records/lock-entity.ts";
import { tellOfRow } from "../rows/row-events.ts";
import { answeredRow, findRow, updateRow } from "../rows/rows.ts";
import { plannedTrigger } from "./task-schedule.ts";
import { taskTelling } from "./task-telling.ts";

/**
 * Completes a locked task, and makes the next one of a task that repeats. Of a completed one it changes the time alone.
 * Gives the task. docs/guides/tasks.md#completing
 */
export async function markAsDone(writing: WriteContext, row: Row, completedAt: Date, now: Date): Promise<Answered> {
  const task = taskRow(row);
  if (task.completedAt?.getTime() === completedAt.getTime()) return answeredRow(tasks, row, writing);
  const next = task.completedAt === null ? await makeNext(writing, task, now) : null;
  const done = await updateRow(
    writing.query,
    tasks,
    writing,
    row,
    {},
    {
      completed_at: completedAt,
      updated_at: now,
      next_trigger_at: null,
      ...(next !== null && { next_id: next }),
    },
  );
  await tellOfRow(writing, taskTelling, { before: row, after: done });
  if (next !== null)
    await tellOfRow(writing, taskTelling, {
      before: null,
      after: (await findRow(writing.query, tasks, writing, next)) ?? null,
    });
  return answeredRow(tasks, done, writing);
}

/**
 * Completes a locked task or opens it again, whichever is wanted, and gives it. A completed one keeps its time of
 * completion unless another one is wanted, so that doing it twice is doing it once.
 */
export async function setDone(
  writing: WriteContext,
  row: Row,
  { done, completedAt, now }: { done: boolean; completedAt: Date | undefined; now: Date },
): Promise<Answered> {
  if (!done) return markAsTodo(writing, row, now);
  return markAsDone(writing, row, completedAt ?? taskRow(row).completedAt ?? now, now);
}

/** Makes a locked task that is completed one that is to be done, and gives it. docs/guides/tasks.md#reopening */
export async function markAsTodo(writing: WriteContext, row: Row, now: Date): Promise<Answered> {
  const task = taskRow(row);
  if (task.completedAt === null) return answeredRow(tasks, row, writing);
  const open = await updateRow(
    writing.query,
    tasks,
    writing,
    row,
    {},
    {
      completed_at: null,
      updated_at: now,
      next_trigger_at: plannedTrigger({ ...task, completedAt: null }, now),
    },
  );
  await tellOfRow(writing, taskTelling, { before: row, after: open });
  return answeredRow(tasks, open, writing);
}

/**
 * Makes the task that follows one that is locked, and gives its uuid; null when there is none to be made: it does not
 * repeat, or was completed before, and the one that followed then is still there.
 */
async function makeNext(writing: WriteContext, task: TaskRow, now: Date): Promise<Uuid | null> {
  const { query, caller } = writing;
  const schedule = nextSchedule(task, now);
  if (schedule === null || (await isThere(query, caller.workspaceId, task.nextId))) return null;
  // Deleting a record deletes everything that is about it at that time. The next task must not come after that.
  await lockEntity(writing, toId(task.entityKind, task.entityId), [task.entityKind]);
  const uuid = newUuid();
  const nextTriggerAt = plannedTrigger({ ...task, ...schedule, completedAt: null }, now);
  await query(COPY, [caller.workspaceId, task.uuid, uuid, madeAt(uuid), schedule.dueAt, nextTriggerAt]);
  return uuid;
}

/** All copies have the maker of the first one, because the creator of a private task is one of those who see it. */
const COPY = `
insert into tasks (workspace_id, id, created_at, created_by, entity_kind, entity_id, made_as, title, description, due_at, due_time,
  time_zone, recurrence_frequency, first_due_at, is_public, assigned_user_ids, next_trigger_at)
select workspace_id, $3, $4, created_by, entity_kind, entity_id, made_as, title, description, $5, due_time,
  time_zone, recurrence_frequency, first_due_at, is_public, assigned_user_ids, $6
from tasks where workspace_id = $1 and id = $2`;

async function isThere(query: Query, workspaceId: Uuid, uuid: Uuid | null): Promise<boolean> {
  if (uuid === null) return false;
  const rows = await query("select from tasks where workspace_id = $1 and id = $2", [workspaceId, uuid]);
  return rows.length > 0;
}
