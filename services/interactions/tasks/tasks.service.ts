import type { ServiceSchema } from "moleculer";
import { type ActionContext, callerOf } from "../../../actions/caller.ts";
import { resourceActions } from "../../../actions/resource-actions.ts";
import type { ServiceContext } from "../../../actions/service-context.ts";
import { closed, idSchema, Type } from "../../../lib/contract/schema.ts";
import { storeOf } from "../../../lib/store/store.ts";
import { instantOf } from "../../../lib/values/times.ts";
import { tellOfTask } from "./task-events.ts";
import { markAsDone, markAsTodo } from "./tasks.completion.ts";
import { narrowTasks, taskListParams } from "./tasks.filters.ts";
import { judgeTask } from "./tasks.judge.ts";
import { tasks } from "./tasks.resource.ts";

type Done = { taskId: string; body: { completedAt: string } };

/** What is to be done about people, companies and objects. docs/guides/tasks.md */
export default function tasksService(context: ServiceContext): ServiceSchema {
  const store = storeOf(context.database, "tasks");
  const path = { taskId: idSchema("task") };
  const returns = { data: tasks.schema };
  return {
    name: "tasks",
    actions: {
      ...resourceActions(tasks, store, {
        list: { params: taskListParams, narrow: narrowTasks },
        judge: judgeTask,
        tell: tellOfTask,
      }),
      markAsDone: {
        summary: "Mark a task as done",
        description: "A task that repeats is followed by the next one. Of a completed one only the time changes.",
        params: closed({
          ...path,
          body: closed(
            { completedAt: Type.String({ format: "timestamp", example: "2026-03-30T16:05:00.000Z" }) },
            { title: "TaskCompletion" },
          ),
        }),
        returns,
        handler: (ctx: ActionContext<Done>) => {
          const completedAt = new Date(instantOf(ctx.params.body.completedAt) ?? Number.NaN);
          return store.write(callerOf(ctx), (writing) =>
            markAsDone(writing, ctx.params.taskId, completedAt, new Date()),
          );
        },
      },
      markAsTodo: {
        summary: "Mark a task as to do",
        description: "A completed one is open again. The next one that completing it has made stays.",
        params: closed(path),
        returns,
        handler: (ctx: ActionContext<{ taskId: string }>) =>
          store.write(callerOf(ctx), (writing) => markAsTodo(writing, ctx.params.taskId, new Date())),
      },
    },
  };
}
