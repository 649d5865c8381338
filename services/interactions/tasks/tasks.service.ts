import type { ServiceSchema } from "moleculer";
import { storeOf } from "../../../engine/store/store.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { resourceActions } from "../../../mixins/resource-actions.ts";
import { markTaskAsDone, markTaskAsTodo, setTaskDone, taskRules } from "../../../mixins/works/tasks.ts";
import { actionOf } from "../../../mixins/works/work.ts";
import { tasks } from "../../../model/resources/tasks.ts";
import { narrowTasks, taskListParams } from "./tasks.filters.ts";

/** Work to be done about people, companies and objects. docs/guides/tasks.md */
export default function tasksService(context: ServiceContext): ServiceSchema {
  const store = storeOf(context.database, "tasks");
  return {
    name: "tasks",
    actions: {
      ...resourceActions(tasks, store, {
        ...taskRules,
        list: { params: taskListParams, narrow: narrowTasks },
        kept: context.env,
      }),
      markAsDone: actionOf(store, markTaskAsDone),
      markAsTodo: actionOf(store, markTaskAsTodo),
      setDone: actionOf(store, setTaskDone),
    },
  };
}
