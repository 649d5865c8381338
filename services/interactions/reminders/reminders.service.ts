import type { ServiceSchema } from "moleculer";
import { custom, type Issue } from "../../../base/contract/issues.ts";
import { idSchema, Type } from "../../../base/contract/schema.ts";
import { readRule, writeRule } from "../../../base/schedules/rule.ts";
import type { Schedule } from "../../../base/schedules/schedule.ts";
import { ruleOf } from "../../../base/schedules/stored-schedule.ts";
import type { Uuid } from "../../../base/values/ids.ts";
import { printUuids } from "../../../database/uuid-list.ts";
import type { WriteContext } from "../../../engine/records/draft.ts";
import type { About } from "../../../engine/rows/about.ts";
import type { OtherColumns } from "../../../engine/rows/rows.ts";
import { type Store, storeOf } from "../../../engine/store/store.ts";
import { assigneesOf, isSameList } from "../../../engine/things/assignees.ts";
import { changes } from "../../../engine/things/row-changes.ts";
import { plannedTrigger, rescheduled, scheduleColumns } from "../../../engine/things/task-schedule.ts";
import { taskTelling } from "../../../engine/things/task-telling.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { type ActionContext, callerOf } from "../../../mixins/context.ts";
import type { PageParams } from "../../../mixins/page.ts";
import type { Narrowing } from "../../../mixins/resource-actions.ts";
import { resourceActions } from "../../../mixins/resource-actions.ts";
import type { RequestBody } from "../../../model/fields/field.ts";
import { reminders } from "../../../model/resources/reminders.ts";
import { type TaskRow, taskRow } from "../../../model/resources/task-row.ts";
import { aboutRecords, type NamedRecords, nameEntities } from "../tasks/entities.ts";
import { assigneesAfter } from "./reminders.assignees.ts";

type ListParams = { "entity.id"?: string };

/** Tasks as the deprecated resource shows them, with rules of iCalendar. docs/guides/reminders.md */
export default function remindersService(context: ServiceContext): ServiceSchema {
  const { list, ...actions } = resourceActions(reminders, storeOf(context.database, "tasks"), {
    list: { params: { "entity.id": Type.Optional(idSchema("record")) }, narrow },
    judge: judgeReminder,
    telling: taskTelling,
    kept: context.env,
  });
  return { name: "reminders", actions: { list: { ...list, summary: "List reminders" }, ...actions } };
}

/** The reminders that a list is asked for. docs/guides/reminders.md#lists */
async function narrow(
  { "entity.id": id }: ListParams,
  { store, ctx }: { store: Store; ctx: ActionContext<PageParams> },
): Promise<Narrowing> {
  if (id === undefined) return {};
  const named: NamedRecords = new Map();
  await nameEntities(store.query, callerOf(ctx).workspaceId, [id], named);
  return { where: (bind) => [aboutRecords(named, [id], bind)] };
}

/** Members that the schema of the body has judged. */
interface Body {
  recurrenceRule?: string;
  visibility?: "public" | "private";
}

/** The columns that a write of a reminder sets beside those of its fields. docs/guides/tasks.md#tasks-and-reminders */
function judgeReminder(writing: WriteContext, sent: RequestBody, { current }: About, issues: Issue[]): OtherColumns {
  const now = new Date();
  const task = current && taskRow(current);
  const assigned = assigneesIn(writing, sent, task, issues);
  const schedule = scheduleIn(sent, issues);
  if (!current || !task) return schedule ? firstColumns(schedule, assigned ?? [], now) : {};
  const others: OtherColumns = {
    ...(schedule && changedSchedule(schedule, task, now)),
    ...(assigned && !isSameList(assigned, task.assignedUserIds) && { assigned_user_ids: printUuids(assigned) }),
  };
  if (!changes(reminders, current, sent, others)) return others;
  // A reminder does not know the description of its task, so the words of both are made behind the write.
  return { ...others, ...(sent.name !== undefined && { words: null }), updated_at: now };
}

/** The users who are reminded after the write; undefined when it leaves them as they are. */
function assigneesIn(
  { definitions, caller }: WriteContext,
  sent: RequestBody,
  task: TaskRow | null,
  issues: Issue[],
): Uuid[] | undefined {
  const before = issues.length;
  const assigned = assigneesOf(definitions, sent.assignedUsers, issues);
  // If users do not exist, that is the only issue.
  if (issues.length > before) return undefined;
  const { visibility } = sent as Body;
  return assigneesAfter({ visibility, assigned }, task, { userId: caller.userId, definitions }, issues);
}

/**
 * The schedule that a body sends; undefined when it sends none. The schema has judged its rule, in a process that may
 * know newer time zones than this one.
 */
function scheduleIn(sent: RequestBody, issues: Issue[]): Schedule | undefined {
  const { recurrenceRule } = sent as Body;
  if (recurrenceRule === undefined) return undefined;
  const read = readRule(recurrenceRule);
  if ("schedule" in read) return read.schedule;
  issues.push(custom(["recurrenceRule"], read.problem));
  return undefined;
}

function firstColumns({ anchor, time, zone, frequency }: Schedule, assigned: Uuid[], now: Date): OtherColumns {
  const schedule = {
    dueAt: anchor,
    dueTime: time,
    firstDueAt: anchor,
    timeZone: zone,
    recurrenceFrequency: frequency,
  };
  return {
    made_as: "reminder",
    ...scheduleColumns(schedule),
    next_trigger_at: plannedTrigger({ ...schedule, madeAs: "reminder", completedAt: null }, now),
    assigned_user_ids: printUuids(assigned),
  };
}

/** A rule that is the one the record has, though its time may be unset, changes nothing. */
function changedSchedule(schedule: Schedule, task: TaskRow, now: Date): OtherColumns {
  if (writeRule(schedule) === ruleOf(task)) return {};
  const { anchor, time, zone, frequency } = schedule;
  return rescheduled(task, { dueAt: anchor, dueTime: time, timeZone: zone, recurrenceFrequency: frequency }, now);
}
