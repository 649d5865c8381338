import { entity } from "../../../model/fields/entity.ts";
import { requiredText } from "../../../model/fields/required-text.ts";
import { createdAt, createdBy, id } from "../../../model/fields/server.ts";
import { timestamp } from "../../../model/fields/timestamp.ts";
import { defineResource } from "../../../model/resources/resource.ts";
import { assignedUsers } from "../tasks/assigned-users.ts";
import { seesTask, TASK_COLUMNS } from "../tasks/task-row.ts";
import { recurrenceRule } from "./recurrence-rule.ts";
import { visibility } from "./visibility.ts";

/** The records of tasks, as the deprecated resource shows them: docs/guides/reminders.md#fields */
export const reminders = defineResource({
  kind: "reminder",
  title: "Reminder",
  table: "tasks",
  rowColumns: TASK_COLUMNS,
  access: { sees: seesTask },
  fields: {
    id: id("reminder"),
    name: requiredText("title", { min: 0, max: 255, example: "Ask how the demo went" }),
    entity: entity(["person", "company", "object"], { fixed: true }),
    recurrenceRule: recurrenceRule(),
    visibility: visibility(),
    assignedUsers: assignedUsers({ min: 0 }),
    nextTriggerTime: timestamp("next_trigger_at"),
    lastTriggerTime: timestamp("last_trigger_at"),
    createdBy: createdBy(),
    createdAt: createdAt(),
  },
});
