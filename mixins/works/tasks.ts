import { unprocessable } from "../../base/contract/errors.ts";
import { custom } from "../../base/contract/issues.ts";
import { closed, Type } from "../../base/contract/schema.ts";
import { instantOf } from "../../base/values/times.ts";
import { markAsDone, markAsTodo, setDone } from "../../engine/things/complete-task.ts";
import { judgeTask } from "../../engine/things/judge-task.ts";
import { taskTelling } from "../../engine/things/task-telling.ts";
import { tasks } from "../../model/resources/tasks.ts";
import type { PathParams } from "../path.ts";
import { changeableRows, type RowRules } from "./rows.ts";
import { changing, pathOfWrite, worksOf } from "./things.ts";
import type { Work } from "./work.ts";

type Done = PathParams & { body: { completedAt: string } };
type WantedDone = PathParams & { body: { done: boolean; completedAt?: string } };

/** Rules of tasks. docs/guides/tasks.md */
export const taskRules: RowRules = { telling: taskTelling, judge: judgeTask };

const things = changeableRows(tasks, taskRules);
const path = pathOfWrite(things);
const returns = { data: tasks.schema, hasTag: true };
const completedAt = Type.String({ format: "timestamp", example: "2026-03-30T16:05:00.000Z" });

/** The writes of tasks that everything with an id has. */
export const taskWorks = worksOf(things);

/** The work that completes a task. docs/guides/tasks.md#completing */
export const markTaskAsDone: Work<Done> = {
  summary: "Mark a task as done",
  description: "Completing a repeated task creates the next one. For a completed task only the time changes.",
  params: closed({ ...path, body: closed({ completedAt }, { title: "TaskCompletion" }) }),
  returns,
  ...changing(things, (writing, row, { body }: Done) => markAsDone(writing, row, toDate(body.completedAt), new Date())),
};

/** The work that opens a completed task again. docs/guides/tasks.md#reopening */
export const markTaskAsTodo: Work<PathParams> = {
  summary: "Mark a task as to do",
  description: "A completed one is open again. The next one that completing it has made stays.",
  params: closed(path),
  returns,
  ...changing(things, (writing, row) => markAsTodo(writing, row, new Date())),
};

/** The work of both. No route leads to it: assistants call it. docs/guides/assistants.md#tools */
export const setTaskDone: Work<WantedDone> = {
  summary: "Mark a task as done or as to do",
  description:
    "A task that repeats is followed by the next one. completedAt is the current time unless it is given; without it a task that is done already stays as it is.",
  params: closed({ ...path, body: closed({ done: Type.Boolean(), completedAt: Type.Optional(completedAt) }) }),
  returns,
  ...changing(things, (writing, row, { body }: WantedDone) =>
    setDone(writing, row, { ...wanted(body), now: new Date() }),
  ),
};

function toDate(timestamp: string): Date {
  return new Date(instantOf(timestamp) ?? Number.NaN);
}

/** @throws ApiError 422 for a completion time of a task that is not done */
function wanted({ done, completedAt: at }: WantedDone["body"]): { done: boolean; completedAt: Date | undefined } {
  if (!done && at !== undefined)
    throw unprocessable([custom(["completedAt"], "Only a task that is done has a time of completion")]);
  return { done, completedAt: at === undefined ? undefined : toDate(at) };
}
