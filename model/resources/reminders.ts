import { assignedUsers } from "../fields/assigned-users.ts";
import { entity } from "../fields/entity.ts";
import { recurrenceRule } from "../fields/recurrence-rule.ts";
import { requiredText } from "../fields/required-text.ts";
import { createdAt, createdBy, id } from "../fields/server.ts";
import { timestamp } from "../fields/timestamp.ts";
import { visibility } from "../fields/visibility.ts";
import { defineResource } from "./resource.ts";
import { seesTask, TASK_COLUMNS } from "./task-row.ts";

/** The records of tasks, as the deprecated resource shows them: docs/guides/reminders.md#fields */
export const reminders = defineResource({
  kind: "reminder",
  title: "Reminder",
  chapter: "Deprecated in favour of tasks: both show the same records.",
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
