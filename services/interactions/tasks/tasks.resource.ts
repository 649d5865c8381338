import { choice } from "../../../model/fields/choice.ts";
import { entity } from "../../../model/fields/entity.ts";
import { flag } from "../../../model/fields/flag.ts";
import { nullableText } from "../../../model/fields/nullable-text.ts";
import { requiredDate } from "../../../model/fields/required-date.ts";
import { requiredText } from "../../../model/fields/required-text.ts";
import { createdAt, createdBy, id } from "../../../model/fields/server.ts";
import { timeOfDay } from "../../../model/fields/time-of-day.ts";
import { timestampAtFirst } from "../../../model/fields/timestamp.ts";
import { defineResource } from "../../../model/resources/resource.ts";
import { assignedUsers } from "./assigned-users.ts";
import { seesTask, TASK_COLUMNS } from "./task-row.ts";
import { updatedAt } from "./updated-at.ts";

const FREQUENCIES = ["weekday", "weekly", "biweekly", "monthly", "quarterly", "yearly"];

/** Work to be done about a record: docs/guides/tasks.md#fields */
export const tasks = defineResource({
  kind: "task",
  title: "Task",
  table: "tasks",
  rowColumns: TASK_COLUMNS,
  access: { sees: seesTask },
  fields: {
    id: id("task"),
    entity: entity(["person", "company", "object"]),
    title: requiredText("title", { min: 0, max: 255, example: "Send the offer" }),
    description: nullableText("description", { max: 100_000, example: "With the prices of *this* year." }),
    dueAt: requiredDate("due_at", { example: "2030-03-29" }),
    dueTime: timeOfDay("due_time", { example: "09:30" }),
    completedAt: timestampAtFirst("completed_at", { example: "2026-03-30T16:05:00.000Z" }),
    recurrenceFrequency: choice("recurrence_frequency", FREQUENCIES, { unset: null, filter: null }),
    isPublic: flag("is_public", { unset: true }),
    assignedUsers: assignedUsers({ min: 1 }),
    createdBy: createdBy(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
});
