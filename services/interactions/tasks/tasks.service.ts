import type { ServiceSchema } from "moleculer";
import { unprocessable } from "../../../base/contract/errors.ts";
import { custom, type Issue } from "../../../base/contract/issues.ts";
import { closed, DRY_RUN, IF_MATCH, idSchema, Type } from "../../../base/contract/schema.ts";
import type { StoredSchedule } from "../../../base/schedules/stored-schedule.ts";
import type { Uuid } from "../../../base/values/ids.ts";
import { instantOf } from "../../../base/values/times.ts";
import { printUuids } from "../../../database/uuid-list.ts";
import type { WriteContext } from "../../../engine/records/draft.ts";
import type { OtherColumns } from "../../../engine/rows/rows.ts";
import { storeOf } from "../../../engine/store/store.ts";
import { rescheduled, scheduleColumns } from "../../../engine/things/task-schedule.ts";
import { taskTelling } from "../../../engine/things/task-telling.ts";
import { changeOne } from "../../../mixins/actions.ts";
import type { ActionContext, ServiceContext } from "../../../mixins/context.ts";
import type { PathParams } from "../../../mixins/path.ts";
import { type About, lockRow, resourceActions } from "../../../mixins/resource-actions.ts";
import type { RequestBody } from "../../../model/fields/field.ts";
import { taskRow } from "../../../model/resources/task-row.ts";
import { tasks } from "../../../model/resources/tasks.ts";
import { assigneesOf, isSameList } from "./assignees.ts";
import { changes } from "./changes.ts";
import { markAsDone, markAsTodo, setDone } from "./tasks.completion.ts";
import { narrowTasks, taskListParams } from "./tasks.filters.ts";

type Done = PathParams & { body: { completedAt: string } };
type WantedDone = PathParams & { body: { done: boolean; completedAt?: string } };

/** Work to be done about people, companies and objects. docs/guides/tasks.md */
export default function tasksService(context: ServiceContext): ServiceSchema {
  const store = storeOf(context.database, "tasks");
  const path = { taskId: idSchema("task"), ...IF_MATCH, ...DRY_RUN };
  const things = {
    resource: tasks,
    store,
    lock: (writing: WriteContext, _: object, uuid: Uuid) => lockRow(tasks, writing, uuid),
  };
  const returns = { data: tasks.schema, hasTag: true };
  const completedAt = Type.String({ format: "timestamp", example: "2026-03-30T16:05:00.000Z" });
  return {
    name: "tasks",
    actions: {
      ...resourceActions(tasks, store, {
        list: { params: taskListParams, narrow: narrowTasks },
        judge: judgeTask,
        telling: taskTelling,
        kept: context.env,
      }),
      markAsDone: {
        summary: "Mark a task as done",
        description: "Completing a repeated task creates the next one. For a completed task only the time changes.",
        params: closed({
          ...path,
          body: closed({ completedAt }, { title: "TaskCompletion" }),
        }),
        returns,
        handler: (ctx: ActionContext<Done>) =>
          changeOne(things, ctx, (writing, row) =>
            markAsDone(writing, row, toDate(ctx.params.body.completedAt), new Date()),
          ),
      },
      markAsTodo: {
        summary: "Mark a task as to do",
        description: "A completed one is open again. The next one that completing it has made stays.",
        params: closed(path),
        returns,
        handler: (ctx: ActionContext<PathParams>) =>
          changeOne(things, ctx, (writing, row) => markAsTodo(writing, row, new Date())),
      },
      // No route leads here: assistants call it (docs/guides/assistants.md#tools).
      setDone: {
        summary: "Mark a task as done or as to do",
        description:
          "A task that repeats is followed by the next one. completedAt is the current time unless it is given; without it a task that is done already stays as it is.",
        params: closed({ ...path, body: closed({ done: Type.Boolean(), completedAt: Type.Optional(completedAt) }) }),
        returns,
        handler: (ctx: ActionContext<WantedDone>) =>
          changeOne(things, ctx, (writing, row) =>
            setDone(writing, row, { ...wanted(ctx.params.body), now: new Date() }),
          ),
      },
    },
  };
}

function toDate(completedAt: string): Date {
  return new Date(instantOf(completedAt) ?? Number.NaN);
}

/** @throws ApiError 422 for a completion time of a task that is not done */
function wanted({ done, completedAt }: WantedDone["body"]): { done: boolean; completedAt: Date | undefined } {
  if (!done && completedAt !== undefined)
    throw unprocessable([custom(["completedAt"], "Only a task that is done has a time of completion")]);
  return { done, completedAt: completedAt === undefined ? undefined : toDate(completedAt) };
}

/** The columns that a write of a task sets beside those of its fields. docs/guides/tasks.md#tasks-and-reminders */
function judgeTask(
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
